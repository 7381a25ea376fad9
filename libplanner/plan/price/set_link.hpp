// Which link does a set of GPUs pay for, and which sets of a mesh are best?
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"

namespace hora::plan {

// In the order of the members.
std::vector<std::uint32_t> gpus_of(std::span<const domain::Member> members);

// The smallest part that holds all of them; there is one at least.
std::uint32_t spanning_part(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

// Of the parts directly inside `around` the one that `part` is in; `around` if it is that itself;
// no_part if it is elsewhere.
std::uint32_t inner_part(const domain::Cluster& cluster, std::uint32_t part, std::uint32_t around);

// That of the smallest part that holds them; inside a mesh that of the set itself.
domain::Link link_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

// Of the largest part inside the GPU's node, in a mesh as well; without such a part, of its own.
domain::Link link_inside_node(const domain::Cluster& cluster, std::uint32_t gpu);

bool is_as_fast(const domain::Link& a, const domain::Link& b);

// There is one at least.
cost::Members exchanging(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

// On how many nodes are the sets of a part? On one; on two; on as many as they have units; or
// that is not known, and is taken for as many as a set has GPUs.
enum class Spread { one_node, two_nodes, by_unit, unknown };

// How the sets of a part exchange.
struct PartLink {
    domain::Link link;
    Spread spread = Spread::one_node;
    domain::Link inside;  // two_nodes, by_unit: no node's is slower

    // A unit alone, of a part of several nodes, has its own price in its node: here it counts as
    // on two, so that one more unit never exchanges faster.
    cost::Members exchanging(std::uint64_t units, std::uint32_t each) const;
    friend bool operator==(const PartLink&, const PartLink&) = default;
};

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
