// How do the GPUs inside a node reach each other?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/domain/cluster.hpp"

namespace hora::read {

// A group of GPUs inside a node whose connection is uniform. `link` is between two GPUs that have
// no smaller group in common.
struct GpuGroup {
    domain::PartKind kind = domain::PartKind::node;
    std::string name;                        // within the node: "switch0"; the node's own is empty
    std::uint32_t parent = domain::no_part;  // index into NodeLayout::groups, smaller than its own
    domain::Link link;
};

// The inside of a node. Nodes that are built alike share one.
struct NodeLayout {
    std::vector<GpuGroup> groups;         // groups[0] is the node, the only one without a parent
    std::vector<std::uint32_t> group_of;  // of each GPU, by its index: its smallest group
    std::optional<domain::Mesh> mesh;     // where the groups do not tell what a set exchanges
};

// `gpus` GPUs that all reach each other alike.
NodeLayout flat_layout(std::uint32_t gpus, domain::Link link);
// The GPUs in order on `switches` PCIe switches, as evenly as can be: {0,1} and {2,3}.
NodeLayout switched_layout(std::uint32_t gpus, std::uint32_t switches, domain::Link inside,
                           domain::Link across);
// Between two GPUs of this type where nothing else is said: NVLink where it has one, else PCIe;
// what programs attain of it, as topology files give it too.
domain::Link usual_link(const domain::Device& device);
// A PCIe link of this bandwidth, with the latency that is usual there.
domain::Link pcie_link(Bandwidth bandwidth);
domain::Link nvlink_link(Bandwidth bandwidth);

}  // namespace hora::read
