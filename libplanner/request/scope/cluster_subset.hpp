// The available GPUs as a cluster of their own: what the chooser looks at.
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"
#include "libplanner/request/scope/available_gpus.hpp"

namespace hora::request {

// Nodes, parts and GPUs stand in the order of the whole, so the chooser decides as it would there.
// Of a node it is all there or nothing: what is not available counts as busy.
struct ClusterSubset {
    domain::Cluster cluster;
    std::vector<std::uint32_t> gpus;  // by GPU here: its index in the whole
};

ClusterSubset subset_of(const domain::Cluster& whole, const AvailableGpus& available);

// A plan made on the subset, in the indices of the whole.
void to_whole(domain::Plan& plan, const ClusterSubset& subset);

}  // namespace hora::request
