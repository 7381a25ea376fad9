// Which nodes hold whose GPUs?
#include "libplanner/sim/placement.hpp"

#include <algorithm>
#include <cassert>

namespace hora::sim {

Placement::Placement(std::uint32_t nodes, std::uint32_t gpus_per_node)
    : free_(nodes, gpus_per_node), with_free_(gpus_per_node + 1), idle_(nodes * gpus_per_node) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
        with_free_[gpus_per_node].insert(with_free_[gpus_per_node].end(), node);
    }
}

void Placement::set_free(std::uint32_t node, std::uint32_t free) {
    idle_ += free;
    idle_ -= free_[node];
    with_free_[free_[node]].erase(node);
    with_free_[free].insert(node);
    free_[node] = free;
}

Shares Placement::take(std::uint32_t gpus) {
    assert(gpus <= idle_);
    Shares shares;
    while (gpus > 0) {
        const auto full = with_free_.size() - 1;
        std::size_t free = std::min<std::size_t>(gpus, full);
        while (free < full && with_free_[free].empty()) {
            ++free;
        }
        while (with_free_[free].empty()) {
            --free;
        }
        const std::uint32_t node = *with_free_[free].begin();
        const std::uint32_t part = std::min(gpus, free_[node]);
        shares.push_back({node, part});
        set_free(node, free_[node] - part);
        gpus -= part;
    }
    return shares;
}

void Placement::give_back(const Shares& shares) {
    for (const Share& share : shares) {
        set_free(share.node, free_[share.node] + share.gpus);
    }
}

}  // namespace hora::sim
