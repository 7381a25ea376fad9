// Which ring will a job get over some GPUs, link by link, and what would the plain order give?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/topology.hpp"
#include "libplanner/model/links/set_bandwidth.hpp"

namespace hora::plan {

// Beside the kinds of paths inside a machine: between two nodes.
constexpr std::string_view network_kind = "net";

struct RingStop {
    std::string node;  // empty in a ring of one machine
    std::uint32_t gpu = 0;
};

struct RingLink {
    std::size_t a = 0;  // index into RingFigures::stops
    std::size_t b = 0;
    std::string_view kind;
    Bandwidth bandwidth;  // 0: not known
};

// A closed ring as it is, good or bad.
struct RingFigures {
    std::vector<RingStop> stops;
    std::vector<RingLink> links;    // from each stop to the next; two stops have one link
    Bandwidth bottleneck;           // of the slowest link; 0: no link, or not known
    std::optional<Bandwidth> pace;  // model/ring_pace.hpp; of one machine that is known inside
    // Of predicted rings inside a node: what NCCL's channels over these GPUs carry together. In a
    // cluster their number is not known (0).
    std::optional<model::SetBandwidth> set;
    std::vector<std::string> nodes;          // in the order of the ring; empty in one machine
    std::optional<std::uint64_t> crossings;  // plan/node_order.hpp; of several nodes
};

struct PredictedRing {
    RingFigures best;
    RingFigures plain;  // nodes as given, GPUs by their numbers
};

// GPUs of one machine: indices into Topology::gpus, each once.
PredictedRing predict_ring(const domain::Topology& machine, std::span<const std::uint32_t> gpus);
RingFigures figures_of(const domain::Topology& machine, std::vector<std::uint32_t> order);

// GPUs of a cluster: indices into Cluster::gpus, each once; the nodes come in the order in which
// they first stand there, which is the order of the job's ranks. NICs are not looked at.
PredictedRing predict_ring(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);
RingFigures figures_of(const domain::Cluster& cluster, std::vector<std::uint32_t> order);

// What order_nodes() wants: the cluster's own fabric, or one made of its parts.
domain::Fabric fabric_of(const domain::Cluster& cluster);

}  // namespace hora::plan
