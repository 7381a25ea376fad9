// How do nodes, their GPUs and the switches between them become the planner's tree of parts?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
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

constexpr std::uint32_t no_switch = 0xffffffff;

struct NodeDescription {
    std::string name;
    std::vector<std::uint32_t> devices;  // of each GPU: index into ClusterDescription::devices
    std::vector<std::uint32_t> busy;     // indices of GPUs that are taken
    std::uint32_t layout = 0;            // index into layouts, whose group_of has one entry a GPU
    std::uint32_t attached_to = no_switch;  // index into switches
    std::optional<Bandwidth> bandwidth;     // of its uplink; else the network's
    Seconds overhead;
    std::uint32_t cpus = 0;
};

// What two nodes get that talk through this switch. A fabric usually needs none of these figures:
// bandwidth is then the network's, and latency the network's and 1 us for each level above a leaf.
struct SwitchDescription {
    std::string name;
    std::uint32_t parent = no_switch;
    std::optional<Bandwidth> bandwidth;
    std::optional<Seconds> latency;
};

struct ClusterDescription {
    std::vector<domain::Device> devices;
    std::vector<NodeLayout> layouts;
    std::vector<SwitchDescription> switches;
    std::vector<NodeDescription> nodes;
    domain::Link network;  // between two nodes where nothing else is said
};

// Nodes and GPUs come out in the order of the description. Two GPUs of different nodes get the
// least bandwidth of everything on their way: the insides of both nodes, both uplinks, and the
// switches between. So sets of fast nodes never pay for a slow node that they leave out.
// On failure: a switch that is its own ancestor, or a node whose figures do not match its layout.
Expected<domain::Cluster> build_cluster(ClusterDescription description);

}  // namespace hora::read
