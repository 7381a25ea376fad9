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

// As slow as the slower one in both.
inline Link slower_of(const Link& a, const Link& b) {
    return {std::min(a.bandwidth, b.bandwidth), std::max(a.latency, b.latency)};
}

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

constexpr std::uint32_t no_mesh = 0xffffffff;
constexpr std::uint32_t most_mesh_gpus = 8;

// The GPUs of a node, all of one type, of which some sets exchange more than the parts of the node
// tell: NVLinks join them pair by pair. A set inside such a node pays for its own bandwidth.
struct Mesh {
    std::uint32_t gpus = 0;  // all of the node, at most most_mesh_gpus
    Seconds latency;
    // By set: bit i is the node's GPU that is i-th in Cluster::gpus. 2^gpus of them, of which those
    // of sets of less than two count for nothing. None is below the link of a part around the set.
    std::vector<Bandwidth> bandwidths;

    friend bool operator==(const Mesh&, const Mesh&) = default;
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
    std::uint32_t mesh = no_mesh;  // index into Cluster::meshes
};

struct Cluster {
    std::vector<Device> devices;
    std::vector<Part> parts;  // parts[0] is the whole; parents come before their children
    std::vector<Node> nodes;
    std::vector<Gpu> gpus;     // by node, then by index
    std::vector<Mesh> meshes;  // nodes that are built alike share one
    Fabric fabric;             // between the nodes; empty: only what `parts` shows of it is known
};

// In time logarithmic in all GPUs.
inline std::span<const Gpu> gpus_of_node(const Cluster& cluster, std::uint32_t node) {
    // Not equal_range(), whose pair clang 14 does not take from the library of GCC 12.
    const auto first = std::ranges::lower_bound(cluster.gpus, node, {}, &Gpu::node);
    const auto last = std::ranges::upper_bound(cluster.gpus, node, {}, &Gpu::node);
    return {first, last};
}

}  // namespace hora::domain
