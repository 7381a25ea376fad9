// The machines: GPUs in nodes, and the tree of parts whose links a set of GPUs has to cross.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/fabric.hpp"

namespace hora::domain {

struct Link {
    Bandwidth bandwidth;
    Seconds latency;

    friend bool operator==(const Link&, const Link&) = default;
};

enum class PartKind { pcie_switch, socket, node, leaf_switch, fabric };

constexpr std::array<std::string_view, 5> part_kind_names = {"pcie_switch", "socket", "node",
                                                             "leaf_switch", "fabric"};

constexpr std::uint32_t no_part = 0xffffffff;

// A part of the topology. A set of GPUs pays for the link of the smallest part that spans it;
// that link is the slowest way between any two GPUs of the part, so a part's link is never faster
// than a link inside it (read/ makes it so).
struct Part {
    PartKind kind = PartKind::fabric;
    std::uint32_t parent = no_part;  // index into Cluster::parts, smaller than the part's own
    Link link;
    std::string name;
};

struct Gpu {
    std::uint32_t node = 0;    // index into Cluster::nodes
    std::uint32_t index = 0;   // within the node, as Slurm and CUDA count
    std::uint32_t device = 0;  // index into Cluster::devices
    std::uint32_t part = 0;    // smallest part that holds it
    bool is_free = true;
};

struct Node {
    std::string name;
    Seconds overhead;        // P1's eta: mean of past (measured - predicted) of a run, 0 at first
    std::uint32_t cpus = 0;  // 0 = not known
};

struct Cluster {
    std::vector<Device> devices;
    std::vector<Part> parts;  // parts[0] is the whole; parents come before their children
    std::vector<Node> nodes;
    std::vector<Gpu> gpus;  // by node, then by index
    Fabric fabric;          // between the nodes; empty: only what `parts` tells of it is known
};

// In time logarithmic in all GPUs.
inline std::span<const Gpu> gpus_of_node(const Cluster& cluster, std::uint32_t node) {
    const auto [first, last] = std::ranges::equal_range(cluster.gpus, node, {}, &Gpu::node);
    return {first, last};
}

}  // namespace hora::domain
