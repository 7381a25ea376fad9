// Of a set of GPUs, which part spans it and which groups does it break? From the definitions.
#include "tests/unit/plan/gpu_sets.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "libplanner/plan/price/set_link.hpp"

namespace hora::tests {

bool is_inside(const domain::Cluster& cluster, std::uint32_t gpu, std::uint32_t part) {
    std::uint32_t at = cluster.gpus[gpu].part;
    while (at != domain::no_part && at != part) {
        at = cluster.parts[at].parent;
    }
    return at == part;
}

bool is_in_mesh(const domain::Cluster& cluster, std::uint32_t part) {
    for (std::uint32_t gpu = 0; gpu < cluster.gpus.size(); ++gpu) {
        if (is_inside(cluster, gpu, part) && plan::is_inside_node(cluster.parts[part])) {
            return cluster.nodes[cluster.gpus[gpu].node].mesh != domain::no_mesh;
        }
    }
    return false;
}

std::uint32_t spanning_part(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    std::uint32_t part = cluster.gpus[gpus.front()].part;
    while (!std::all_of(gpus.begin(), gpus.end(),
                        [&](std::uint32_t gpu) { return is_inside(cluster, gpu, part); })) {
        part = cluster.parts[part].parent;
    }
    return part;
}

domain::Link link_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    const std::uint32_t node = cluster.gpus[gpus.front()].node;
    std::uint32_t set = 0;
    for (const std::uint32_t gpu : gpus) {
        if (cluster.gpus[gpu].node != node || cluster.nodes[node].mesh == domain::no_mesh) {
            return cluster.parts[spanning_part(cluster, gpus)].link;
        }
        set |= 1U << cluster.gpus[gpu].index;  // random cases count without gaps
    }
    const domain::Mesh& mesh = cluster.meshes[cluster.nodes[node].mesh];
    return {mesh.bandwidths[set], mesh.latency};
}

cost::Members exchanging(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    cost::Members members{.count = gpus.size(), .nodes = 0, .link = link_of(cluster, gpus)};
    members.inside = {Bandwidth(std::numeric_limits<double>::infinity()), Seconds(0)};
    std::map<std::uint32_t, std::uint64_t> nodes;
    for (const std::uint32_t gpu : gpus) {
        ++nodes[cluster.gpus[gpu].node];
        domain::Link inside;
        for (std::uint32_t part = cluster.gpus[gpu].part;
             part != domain::no_part && cluster.parts[part].kind <= domain::PartKind::node;
             part = cluster.parts[part].parent) {
            inside = cluster.parts[part].link;
        }
        members.inside = {std::min(members.inside.bandwidth, inside.bandwidth),
                          std::max(members.inside.latency, inside.latency)};
    }
    members.nodes = nodes.size();
    members.on_each = nodes.begin()->second;
    if (members.on_each * members.nodes != members.count ||
        std::any_of(nodes.begin(), nodes.end(),
                    [&](const auto& one) { return one.second != members.on_each; })) {
        members.on_each = 0;
    }
    return members;
}

Seconds exchange_time(const domain::Request& request, const domain::Cluster& cluster, Bytes size,
                      std::span<const std::uint32_t> gpus) {
    const cost::Members members = exchanging(cluster, gpus);
    const Seconds usual = cost::exchange_time(request.cost.exchange, size, members);
    const bool has_hierarchy = request.accepts_hierarchy &&
                               request.layout == domain::Layout::uniform &&
                               request.cost.exchange == domain::Exchange::automatic &&
                               members.nodes > 1 && members.on_each > 1;
    return has_hierarchy
               ? std::min(usual, cost::hierarchical_exchange(size, members.nodes, members.on_each,
                                                             members.inside, members.link))
               : usual;
}

double closeness_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus,
                    bool is_all) {
    return is_all ? link_of(cluster, gpus).bandwidth.count()
                  : cluster.parts[spanning_part(cluster, gpus)].link.bandwidth.count();
}

plan::Broken broken_by(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus) {
    plan::Broken broken;
    for (std::uint32_t part = 0; part < cluster.parts.size(); ++part) {
        const domain::PartKind kind = cluster.parts[part].kind;
        if (kind == domain::PartKind::leaf_switch || kind == domain::PartKind::fabric) {
            continue;
        }
        std::size_t taken = 0;
        std::size_t left = 0;
        std::size_t busy = 0;
        for (std::uint32_t gpu = 0; gpu < cluster.gpus.size(); ++gpu) {
            if (!is_inside(cluster, gpu, part)) {
                continue;
            }
            if (!cluster.gpus[gpu].is_free) {
                ++busy;
            } else if (std::find(gpus.begin(), gpus.end(), gpu) != gpus.end()) {
                ++taken;
            } else {
                ++left;
            }
        }
        if (taken > 0 && left > 0) {
            ++(busy == 0 ? broken.whole : broken.rest);
        }
    }
    return broken;
}

void for_each_set(std::span<const std::uint32_t> gpus, std::size_t count,
                  const std::function<void(const GpuIndices&)>& with) {
    for (std::uint32_t mask = 0; mask < (1U << gpus.size()); ++mask) {
        if (static_cast<std::size_t>(std::popcount(mask)) != count) {
            continue;
        }
        GpuIndices set;
        for (std::size_t i = 0; i < gpus.size(); ++i) {
            if ((mask >> i & 1U) != 0) {
                set.push_back(gpus[i]);
            }
        }
        with(set);
    }
}

GpuIndices free_gpus(const domain::Cluster& cluster) {
    GpuIndices free;
    for (std::uint32_t gpu = 0; gpu < cluster.gpus.size(); ++gpu) {
        if (cluster.gpus[gpu].is_free) {
            free.push_back(gpu);
        }
    }
    return free;
}

}  // namespace hora::tests
