// From when on can nodes give a job its GPUs evenly, if those that run go on until their limits?
#include "libplanner/sim/even_room.hpp"

#include <algorithm>

#include "libplanner/elastic/policies/backfill.hpp"

namespace hora::sim {

void EvenRoom::hold(const Shares& shares, Seconds left) {
    held_.emplace_back(left, &shares);
    is_sorted_ = false;
    known_.clear();
}

Seconds EvenRoom::from(std::uint32_t gpus) {
    if (!placement_->find_even(gpus).empty()) {
        return Seconds(0);
    }
    const auto [at, is_new] = known_.try_emplace(gpus);
    if (is_new) {
        at->second = after_ends(gpus);
    }
    return at->second;
}

Seconds EvenRoom::after_ends(std::uint32_t gpus) {
    if (!is_sorted_) {
        std::sort(held_.begin(), held_.end(),
                  [](const auto& one, const auto& other) { return one.first < other.first; });
        is_sorted_ = true;
    }
    Placement later = *placement_;
    Seconds from(0);
    for (const auto& [left, shares] : held_) {
        later.give_back(*shares);
        from = std::max(left, elastic::least_left);
        if (!later.find_even(gpus).empty()) {
            break;
        }
    }
    return from;
}

}  // namespace hora::sim
