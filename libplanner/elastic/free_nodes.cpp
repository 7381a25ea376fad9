// Which nodes of a pool could give a job so many GPUs at this moment?
#include "libplanner/elastic/free_nodes.hpp"

#include <algorithm>

namespace hora::elastic {

FreeNodes::FreeNodes(std::span<const std::uint32_t> free, std::uint32_t gpus_per_node)
    : free_(free), with_free_(gpus_per_node + 1) {
    for (const std::uint32_t gpus : free) {
        ++with_free_[std::min(gpus, gpus_per_node)];
    }
    for (std::size_t gpus = gpus_per_node; gpus-- > 0;) {
        with_free_[gpus] += with_free_[gpus + 1];
    }
}

std::uint32_t FreeNodes::fewest(std::uint32_t gpus, std::span<const domain::NodeGpus> held) const {
    const auto each = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(with_free_.size()) - 1);
    const std::size_t able = with_free_.size() > 1 ? with_free_[1] + held.size() : 0;
    const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(gpus, able));
    for (std::uint32_t nodes = std::max(1U, (gpus + each - 1) / each); nodes <= most; ++nodes) {
        if (gpus % nodes == 0 && can_give(nodes, gpus / nodes, held)) {
            return nodes;
        }
    }
    return 0;
}

bool FreeNodes::can_give(std::uint32_t nodes, std::uint32_t each,
                         std::span<const domain::NodeGpus> held) const {
    if (each >= with_free_.size()) {
        return false;
    }
    std::uint32_t able = with_free_[each];
    for (const domain::NodeGpus& own : held) {
        const std::uint32_t free = free_[own.node];
        able += free < each && free + own.gpus >= each ? 1 : 0;
    }
    return able >= nodes;
}

}  // namespace hora::elastic
