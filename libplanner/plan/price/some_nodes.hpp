// Which nodes of a part are worth counting by themselves, as sets on them exchange faster?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"

namespace hora::plan {

// GPUs of one type in a node.
struct Kind {
    std::uint32_t device = 0;
    std::uint32_t count = 0;

    friend bool operator==(const Kind&, const Kind&) = default;
};

// What a unit of choice gives. Layout any chooses single GPUs, so a shape is one GPU of a device;
// layout uniform chooses nodes, so a shape is what a node (or a part of it) has free.
using Shape = std::vector<Kind>;  // by device

// A node with what is free on it.
struct NodeOffer {
    std::uint32_t node = 0;
    std::uint32_t portion = 0;  // index of a shape
    Seconds overhead;
    domain::Link inside;  // set_link.hpp, link_inside_node
};

// More nodes or links than these are thinned out: then not every set is found, and none that is
// found is slower than it counts.
inline constexpr std::size_t most_node_links = 8;
inline constexpr std::size_t most_paired_nodes = 64;

// The slowest link inside the nodes, in both; there is one at least.
domain::Link slowest_inside(std::span<const NodeOffer> offers);

// For every bandwidth and latency inside a node those nodes that are as fast, where they are two at
// least; the set of all of them comes first.
std::vector<std::vector<NodeOffer>> levels_of(std::span<const NodeOffer> offers);

// Do two of the others give at least what this one does, at no more overhead? `others` come by
// overhead, and none of them after this one.
bool is_beaten(const NodeOffer& one, std::span<const NodeOffer> others,
               std::span<const Shape> shapes);

// Pairs one of which is the best of all, whatever GPUs it is wanted for. By overhead.
std::vector<std::vector<NodeOffer>> pairs_of(std::span<const NodeOffer> offers,
                                             std::span<const Shape> shapes);

}  // namespace hora::plan
