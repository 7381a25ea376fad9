// How many GPUs is a whole node, where jobs get nothing less?
#include "libplanner/plan/whole_nodes.hpp"

#include <numeric>
#include <vector>

namespace hora::plan {

std::optional<std::uint32_t> gpus_of_each_node(const domain::Cluster& cluster,
                                               std::span<const std::uint32_t> nodes) {
    std::vector<std::uint32_t> gpus(cluster.nodes.size());
    for (const domain::Gpu& gpu : cluster.gpus) {
        ++gpus[gpu.node];
    }
    std::optional<std::uint32_t> each;
    for (const std::uint32_t node : nodes) {
        if (gpus[node] != 0 && each.value_or(gpus[node]) != gpus[node]) {
            return std::nullopt;
        }
        each = gpus[node] != 0 ? gpus[node] : each;
    }
    return each;
}

std::optional<std::uint32_t> gpus_of_each_node(const domain::Cluster& cluster) {
    std::vector<std::uint32_t> all(cluster.nodes.size());
    std::iota(all.begin(), all.end(), 0U);
    return gpus_of_each_node(cluster, all);
}

}  // namespace hora::plan
