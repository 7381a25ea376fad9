#include "tests/unit/elastic/plain_knapsack.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace hora::elastic {
namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();

using Choices = std::vector<std::vector<std::uint32_t>>;

// By the exact sum of the weights.
std::vector<double> best_values(std::span<const Group> groups, std::size_t capacity,
                                Choices* choices) {
    std::vector<double> best(capacity + 1, impossible);
    best[0] = 0;
    for (const Group& group : groups) {
        std::vector<double> next = best;
        std::vector<std::uint32_t> choice(best.size(), 0);
        for (const Item& item : group) {
            for (std::size_t k = item.weight; k < next.size(); ++k) {
                const double value = best[k - item.weight] + item.value;
                if (value > next[k]) {
                    next[k] = value;
                    choice[k] = item.weight;
                }
            }
        }
        best = std::move(next);
        if (choices != nullptr) {
            choices->push_back(std::move(choice));
        }
    }
    return best;
}

}  // namespace

double plainly_at_most(std::span<const Group> groups, std::uint32_t capacity) {
    const std::vector<double> best = best_values(groups, capacity, nullptr);
    return *std::max_element(best.begin(), best.end());
}

std::optional<Exact> plainly_at_least(std::span<const Group> groups, std::uint32_t least) {
    std::size_t most = least;
    for (const Group& group : groups) {
        most += group.empty() ? 0 : group.back().weight;
    }
    const std::vector<double> best = best_values(groups, most, nullptr);
    for (std::size_t sum = least; sum < best.size(); ++sum) {
        if (best[sum] != impossible) {
            return Exact{static_cast<std::uint32_t>(sum), best[sum]};
        }
    }
    return std::nullopt;
}

Packing plain_packing(std::span<const Group> groups, std::uint32_t capacity) {
    Choices choices;
    const std::vector<double> best = best_values(groups, capacity, &choices);
    const auto found = std::max_element(best.begin(), best.end());
    Packing result{std::vector<std::uint32_t>(groups.size(), 0), *found};
    auto sum = static_cast<std::size_t>(found - best.begin());
    for (std::size_t i = groups.size(); i-- > 0;) {
        result.weights[i] = choices[i][sum];
        sum -= result.weights[i];
    }
    return result;
}

}  // namespace hora::elastic
