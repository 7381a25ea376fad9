// Which choice of each group is worth most together, within a capacity?
#include "libplanner/elastic/policies/grouped_knapsack.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace hora::elastic {
namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();

// F[i][k] = max over the items of group i, and nothing, of F[i - 1][k - weight] + value, with k the
// exact sum of the weights.
class Programme {
  public:
    Programme(std::span<const Group> groups, std::size_t most) : best_(most + 1, impossible) {
        best_[0] = 0;
        weights_.reserve(groups.size());
        for (const Group& group : groups) {
            add(group);
        }
    }

    // By the sum of the weights; impossible where no choice has that sum.
    std::span<const double> best() const { return best_; }

    Packing packing(std::size_t sum) const {
        Packing result{std::vector<std::uint32_t>(weights_.size(), 0), best_[sum]};
        for (std::size_t i = weights_.size(); i-- > 0;) {
            result.weights[i] = weights_[i][sum];
            sum -= result.weights[i];
        }
        return result;
    }

  private:
    void add(const Group& group) {
        std::vector<double> next = best_;
        std::vector<std::uint32_t>& weights = weights_.emplace_back(best_.size(), 0);
        for (const Item& item : group) {
            for (std::size_t sum = item.weight; sum < next.size(); ++sum) {
                const double value = best_[sum - item.weight] + item.value;
                if (value > next[sum]) {
                    next[sum] = value;
                    weights[sum] = item.weight;
                }
            }
        }
        best_ = std::move(next);
    }

    std::vector<double> best_;
    std::vector<std::vector<std::uint32_t>> weights_;  // chosen, by group and sum
};

std::uint64_t heaviest_sum(std::span<const Group> groups) {
    std::uint64_t sum = 0;
    for (const Group& group : groups) {
        sum += group.empty() ? 0 : group.back().weight;
    }
    return sum;
}

}  // namespace

Packing pack_at_most(std::span<const Group> groups, std::uint32_t capacity) {
    const Programme programme(groups, std::min<std::uint64_t>(capacity, heaviest_sum(groups)));
    const auto best = programme.best();
    return programme.packing(
        static_cast<std::size_t>(std::max_element(best.begin(), best.end()) - best.begin()));
}

Packing pack_at_least(std::span<const Group> groups, std::uint32_t least) {
    const std::uint64_t all = heaviest_sum(groups);
    if (all < least) {
        return {std::vector<std::uint32_t>(groups.size(), 0), 0};
    }
    // Group by group, the first sum that is large enough exceeds it by less than one weight.
    std::uint64_t heaviest = 0;
    for (const Group& group : groups) {
        heaviest = std::max<std::uint64_t>(heaviest, group.empty() ? 0 : group.back().weight);
    }
    const Programme programme(groups, std::min(all, least + heaviest));
    std::size_t sum = least;
    while (programme.best()[sum] == impossible) {
        ++sum;
    }
    return programme.packing(sum);
}

}  // namespace hora::elastic
