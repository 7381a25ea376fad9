// How do nodes, their GPUs and the switches between them become the planner's tree of parts?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/read/cluster/gpu_layout.hpp"

namespace hora::read {

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
