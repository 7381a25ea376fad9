// Which link does a set of GPUs pay for, and which sets of a mesh are best?
#include "libplanner/plan/price/set_link.hpp"

#include <algorithm>
#include <bit>
#include <map>

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

std::uint32_t inner_part(const domain::Cluster& cluster, std::uint32_t part, std::uint32_t around) {
    std::uint32_t inner = part;
    while (part != domain::no_part && part > around) {  // parents have smaller numbers
        inner = part;
        part = cluster.parts[part].parent;
    }
    return part == around ? inner : domain::no_part;
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

domain::Link link_inside_node(const domain::Cluster& cluster, std::uint32_t gpu) {
    std::uint32_t part = cluster.gpus[gpu].part;
    while (cluster.parts[part].parent != domain::no_part &&
           is_inside_node(cluster.parts[cluster.parts[part].parent])) {
        part = cluster.parts[part].parent;
    }
    return cluster.parts[part].link;
}

bool is_as_fast(const domain::Link& a, const domain::Link& b) {
    return a.bandwidth >= b.bandwidth && a.latency <= b.latency;
}

cost::Members exchanging(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    std::vector<std::uint32_t> node_of;  // by GPU
    node_of.reserve(gpus.size());
    for (const std::uint32_t gpu : gpus) {
        node_of.push_back(cluster.gpus[gpu].node);
    }
    std::sort(node_of.begin(), node_of.end());
    cost::Members members{.count = gpus.size(),
                          .nodes = 0,
                          .link = link_of(cluster, gpus),
                          .inside = link_inside_node(cluster, gpus.front())};
    for (auto first = node_of.begin(); first != node_of.end();) {
        const auto end = std::upper_bound(first, node_of.end(), *first);
        const auto on_it = static_cast<std::uint64_t>(end - first);
        members.inside =
            slower_of(members.inside, link_inside_node(cluster, first_gpu_of(cluster, *first)));
        members.on_each = members.nodes == 0 || on_it == members.on_each ? on_it : 0;
        ++members.nodes;
        first = end;
    }
    return members;
}

cost::Members PartLink::exchanging(std::uint64_t units, std::uint32_t each) const {
    const std::uint64_t count = units * each;
    switch (spread) {
        case Spread::one_node:
            return {.count = count, .nodes = 1, .link = link, .inside = link, .on_each = count};
        case Spread::two_nodes:
            return {.count = count, .nodes = 2, .link = link, .inside = inside};
        case Spread::by_unit:
            return {.count = count,
                    .nodes = std::max<std::uint64_t>(2, units),
                    .link = link,
                    .inside = inside,
                    .on_each = each};
        case Spread::unknown:
            break;
    }
    return cost::one_on_each_node(count, link);
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
