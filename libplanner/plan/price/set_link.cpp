// Which link does a set of GPUs pay for, and which sets of a mesh are best?
#include "libplanner/plan/price/set_link.hpp"

#include <algorithm>
#include <bit>

namespace hora::plan {
namespace {

// Of as many GPUs the set with the lower ones comes first.
bool has_lower(MeshSet a, MeshSet b) {
    const MeshSet differ = a ^ b;
    return (a & differ & (~differ + 1)) != 0;
}

}  // namespace

std::vector<std::uint32_t> gpus_of(std::span<const domain::Member> members) {
    std::vector<std::uint32_t> gpus;
    gpus.reserve(members.size());
    for (const domain::Member& member : members) {
        gpus.push_back(member.gpu);
    }
    return gpus;
}

std::uint32_t spanning_part(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    std::uint32_t common = cluster.gpus[gpus.front()].part;
    for (const std::uint32_t gpu : gpus) {
        std::uint32_t other = cluster.gpus[gpu].part;
        while (common != other) {  // parents have smaller numbers
            (common > other ? common : other) = cluster.parts[std::max(common, other)].parent;
        }
    }
    return common;
}

domain::Link link_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    const std::uint32_t node = cluster.gpus[gpus.front()].node;
    const std::uint32_t mesh = cluster.nodes[node].mesh;
    const bool is_in_mesh =
        mesh != domain::no_mesh && std::all_of(gpus.begin(), gpus.end(), [&](std::uint32_t gpu) {
            return cluster.gpus[gpu].node == node;
        });
    return is_in_mesh ? MeshSets(cluster).link_of(mesh, mesh_set_of(cluster, gpus))
                      : cluster.parts[spanning_part(cluster, gpus)].link;
}

bool is_inside_node(const domain::Part& part) {
    return part.kind != domain::PartKind::leaf_switch && part.kind != domain::PartKind::fabric;
}

std::uint32_t first_gpu_of(const domain::Cluster& cluster, std::uint32_t node) {
    return static_cast<std::uint32_t>(domain::gpus_of_node(cluster, node).data() -
                                      cluster.gpus.data());
}

MeshSet mesh_set_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    const std::uint32_t first = first_gpu_of(cluster, cluster.gpus[gpus.front()].node);
    MeshSet set = 0;
    for (const std::uint32_t gpu : gpus) {
        set |= MeshSet{1} << (gpu - first);
    }
    return set;
}

const std::vector<MeshSet>& MeshSets::best_of(std::uint32_t mesh, MeshSet free) {
    const auto [at, is_new] = known_.try_emplace({mesh, free});
    std::vector<MeshSet>& best = at->second;
    if (!is_new) {
        return best;
    }
    const std::vector<Bandwidth>& bandwidths = cluster_->meshes[mesh].bandwidths;
    best.assign(static_cast<std::size_t>(std::popcount(free)) + 1, 0);
    for (MeshSet set = free; set != 0; set = (set - 1) & free) {
        MeshSet& known = best[static_cast<std::size_t>(std::popcount(set))];
        const bool is_alone = std::has_single_bit(set);
        const bool is_faster = !is_alone && bandwidths[set] > bandwidths[known];
        const bool is_as_fast = is_alone || bandwidths[set] == bandwidths[known];
        if (known == 0 || is_faster || (is_as_fast && has_lower(set, known))) {
            known = set;
        }
    }
    return best;
}

}  // namespace hora::plan
