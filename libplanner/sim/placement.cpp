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

// O(nodes of it * log nodes) for each number of nodes that `gpus` can be divided by.
Shares Placement::find_even(std::uint32_t gpus, const Shares& held) const {
    const auto full = static_cast<std::uint32_t>(with_free_.size() - 1);
    for (std::uint32_t nodes = (gpus + full - 1) / full; nodes <= gpus; ++nodes) {
        if (gpus % nodes == 0) {
            if (Shares found = find_on(nodes, gpus / nodes, held); !found.empty()) {
                return found;
            }
        }
    }
    return {};
}

// The first with the fewest free GPUs are the fullest.
Shares Placement::find_on(std::uint32_t nodes, std::uint32_t each, const Shares& held) const {
    if (nodes > free_.size()) {
        return {};
    }
    Shares found;
    const auto is_held = [&held](std::uint32_t node) {
        return std::any_of(held.begin(), held.end(),
                           [node](const Share& share) { return share.node == node; });
    };
    for (const Share& share : held) {
        if (found.size() < nodes && free_[share.node] + share.gpus >= each) {
            found.push_back({share.node, each});
        }
    }
    for (std::size_t free = each; free < with_free_.size() && found.size() < nodes; ++free) {
        for (const std::uint32_t node : with_free_[free]) {
            if (found.size() == nodes) {
                break;
            }
            if (!is_held(node)) {
                found.push_back({node, each});
            }
        }
    }
    return found.size() == nodes ? found : Shares();
}

bool Placement::can_be_even(std::uint32_t gpus) const {
    const auto full = static_cast<std::uint32_t>(with_free_.size() - 1);
    const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(gpus, free_.size()));
    for (std::uint32_t nodes = (gpus + full - 1) / full; nodes <= most; ++nodes) {
        if (gpus % nodes == 0) {
            return true;
        }
    }
    return false;
}

Shares Placement::take_even(std::uint32_t gpus) {
    Shares shares = find_even(gpus);
    for (const Share& share : shares) {
        set_free(share.node, free_[share.node] - share.gpus);
    }
    return shares;
}

void Placement::give_back(const Shares& shares) {
    for (const Share& share : shares) {
        set_free(share.node, free_[share.node] + share.gpus);
    }
}

}  // namespace hora::sim
