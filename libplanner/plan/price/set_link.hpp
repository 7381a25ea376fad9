// Which link does a set of GPUs pay for, and which sets of a mesh are best?
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"

namespace hora::plan {

// In the order of the members.
std::vector<std::uint32_t> gpus_of(std::span<const domain::Member> members);

// The smallest part that holds all of them; there is one at least.
std::uint32_t spanning_part(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

// That of the smallest part that holds them; inside a mesh that of the set itself.
domain::Link link_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

// Is it a part of one node, or the node itself?
bool is_inside_node(const domain::Part& part);

// Index of the node's first GPU, of which there is one at least.
std::uint32_t first_gpu_of(const domain::Cluster& cluster, std::uint32_t node);

// GPUs of one mesh, bit i for the i-th of its node.
using MeshSet = std::uint32_t;

// `gpus` are of one node and ascend.
MeshSet mesh_set_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

// Meshes are few, and so are their sets of free GPUs: each is worked out once.
class MeshSets {
  public:
    explicit MeshSets(const domain::Cluster& cluster) : cluster_(&cluster) {}

    // Out of these GPUs, by number, the set that exchanges most; of equals the one with the lower
    // GPUs. Sets of one are there as well. O(2^GPUs), once.
    const std::vector<MeshSet>& best_of(std::uint32_t mesh, MeshSet free);

    domain::Link link_of(std::uint32_t mesh, MeshSet set) const {
        const domain::Mesh& one = cluster_->meshes[mesh];
        return {one.bandwidths[set], one.latency};
    }

  private:
    const domain::Cluster* cluster_;
    std::map<std::pair<std::uint32_t, MeshSet>, std::vector<MeshSet>> known_;
};

}  // namespace hora::plan
