// Which GPUs do --nodes and --gpus name?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::scripts {

// As typed; empty: all of them.
struct GpuChoice {
    std::string nodes;  // a host list
    std::string gpus;   // "0,1,4-7", of each node
};

// Indices into Topology::gpus, ascending. Fails as a usage error: what there is not, or is not a
// list.
Expected<std::vector<std::uint32_t>> gpus_of(const domain::Topology& machine,
                                             const GpuChoice& choice);
// Indices into Cluster::gpus, the nodes in the order in which they are named.
Expected<std::vector<std::uint32_t>> gpus_of(const domain::Cluster& cluster,
                                             const GpuChoice& choice);

}  // namespace hora::scripts
