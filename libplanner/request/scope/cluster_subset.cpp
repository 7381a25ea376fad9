// The available GPUs as a cluster of their own: what the chooser looks at.
#include "libplanner/request/scope/cluster_subset.hpp"

namespace hora::request {
namespace {

// The GPUs of nodes of which one at least is available.
std::vector<std::uint32_t> gpus_of_nodes(const domain::Cluster& whole,
                                         const AvailableGpus& available) {
    std::vector<std::uint32_t> gpus;
    for (std::uint32_t first = 0; first < available.size();) {
        std::uint32_t last = first;
        bool is_used = false;
        while (last < available.size() && whole.gpus[last].node == whole.gpus[first].node) {
            is_used = is_used || available[last] != 0;
            ++last;
        }
        for (std::uint32_t gpu = first; is_used && gpu < last; ++gpu) {
            gpus.push_back(gpu);
        }
        first = last;
    }
    return gpus;
}

// The new index of each part that holds a GPU of the subset, no_part for the others.
std::vector<std::uint32_t> copy_parts(const domain::Cluster& whole, const ClusterSubset& subset,
                                      std::vector<domain::Part>& parts) {
    constexpr std::uint32_t is_needed = 0;
    std::vector<std::uint32_t> places(whole.parts.size(), domain::no_part);
    for (const std::uint32_t gpu : subset.gpus) {
        for (std::uint32_t part = whole.gpus[gpu].part;
             part != domain::no_part && places[part] != is_needed;
             part = whole.parts[part].parent) {
            places[part] = is_needed;
        }
    }
    for (std::uint32_t part = 0; part < places.size(); ++part) {
        if (places[part] != is_needed) {
            continue;
        }
        places[part] = static_cast<std::uint32_t>(parts.size());
        parts.push_back(whole.parts[part]);
        if (std::uint32_t& parent = parts.back().parent; parent != domain::no_part) {
            parent = places[parent];  // stands before its children, so its place is known
        }
    }
    return places;
}

}  // namespace

ClusterSubset subset_of(const domain::Cluster& whole, const AvailableGpus& available) {
    ClusterSubset subset;
    subset.gpus = gpus_of_nodes(whole, available);
    domain::Cluster& cluster = subset.cluster;
    cluster.devices = whole.devices;
    cluster.meshes = whole.meshes;
    const std::vector<std::uint32_t> places = copy_parts(whole, subset, cluster.parts);
    cluster.gpus.reserve(subset.gpus.size());
    std::uint32_t last = 0;
    for (const std::uint32_t gpu : subset.gpus) {
        domain::Gpu copy = whole.gpus[gpu];
        if (cluster.nodes.empty() || copy.node != last) {
            last = copy.node;
            cluster.nodes.push_back(whole.nodes[last]);
        }
        copy.node = static_cast<std::uint32_t>(cluster.nodes.size() - 1);
        copy.part = places[copy.part];
        copy.is_free = available[gpu] != 0;
        cluster.gpus.push_back(copy);
    }
    return subset;
}

void to_whole(domain::Plan& plan, const ClusterSubset& subset) {
    for (domain::Member& member : plan.members) {
        member.gpu = subset.gpus[member.gpu];
    }
}

}  // namespace hora::request
