// Which choice of each group is worth most together, within a capacity?
#include "libplanner/elastic/policies/grouped_knapsack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "libplanner/elastic/policies/core_programme.hpp"
#include "libplanner/elastic/policies/reachable_sums.hpp"
#include "libplanner/elastic/policies/relaxation.hpp"

namespace hora::elastic {
namespace {

// Differences below this part of the values are rounding.
constexpr double rounding = 1e-13;

Item item_at(const Group& group, std::uint32_t chosen) {
    return chosen == 0 ? Item{} : group[chosen - 1];
}

Packing packing_of(std::span<const Group> groups, std::span<const std::uint32_t> chosen) {
    Packing result;
    result.weights.reserve(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Item item = item_at(groups[i], chosen[i]);
        result.weights.push_back(item.weight);
        result.value += item.value;
    }
    return result;
}

// Every other choice of each group that costs at most `limit` at the price.
std::vector<OtherChoice> changes_within(std::span<const Group> groups, const Relaxation& relaxed,
                                        std::uint32_t capacity, double limit) {
    std::vector<OtherChoice> result;
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
        const Group& group = groups[i];
        const Item best = item_at(group, relaxed.chosen[i]);
        const double worth = best.value - relaxed.price * best.weight;
        for (std::uint32_t other = 0; other <= group.size(); ++other) {
            const Item item = item_at(group, other);
            if (item.weight > capacity) {
                break;
            }
            const double cost = std::max(0.0, worth - (item.value - relaxed.price * item.weight));
            if (other != relaxed.chosen[i] && cost <= limit) {
                const std::int64_t weight = std::int64_t{item.weight} - best.weight;
                result.push_back({i, other, weight, cost});
            }
        }
    }
    return result;
}

// The best packing that one change leads to, or none at all: what the programme has to beat.
Solution first_guess(const Core& core) {
    Solution result;
    result.cost = core.is_bound ? std::numeric_limits<double>::infinity()
                                : static_cast<double>(core.residual) * core.price;
    for (const OtherChoice& each : core.changes) {
        const std::int64_t unused = core.residual - each.weight;
        if (unused < 0 || (core.is_bound && unused > 0)) {
            continue;
        }
        const double cost = each.cost + static_cast<double>(unused) * core.price;
        if (cost < result.cost) {
            result = {{each}, cost};
        }
    }
    return result;
}

// So much that about one change a group costs no more: where to begin looking.
double first_limit(const Core& core, std::size_t groups) {
    std::vector<double> costs;
    for (const OtherChoice& each : core.changes) {
        if (each.cost > 0) {
            costs.push_back(each.cost);
        }
    }
    if (costs.empty()) {
        return 0;
    }
    const auto place =
        costs.begin() + static_cast<std::ptrdiff_t>(std::min(groups, costs.size() - 1));
    std::nth_element(costs.begin(), place, costs.end());
    return *place;
}

// Every packing costs less: the dearest change of each group.
double highest_cost(const Core& core) {
    double sum = 0;
    double group_most = 0;
    for (std::size_t i = 0; i < core.changes.size(); ++i) {
        const bool is_new = i > 0 && core.changes[i].group != core.changes[i - 1].group;
        sum += is_new ? group_most : 0;
        group_most = std::max(is_new ? 0 : group_most, core.changes[i].cost);
    }
    return (sum + group_most) * 2;
}

Core within(const Core& core, double limit) {
    Core result{{}, core.residual, core.is_bound, core.price};
    std::copy_if(core.changes.begin(), core.changes.end(), std::back_inserter(result.changes),
                 [&](const OtherChoice& each) { return each.cost <= limit; });
    return result;
}

// Looks among ever dearer changes until the best found is certain to be the best of all.
Solution cheapest(const Core& core, std::size_t groups, double scale) {
    Solution best = first_guess(core);
    const double highest = std::min(best.cost, highest_cost(core) + scale);
    if (best.cost <= scale * rounding) {
        return best;
    }
    constexpr double wider = 4;
    double limit = std::max(first_limit(core, groups), scale * rounding);
    for (;; limit *= wider) {
        limit = std::min(limit, highest);
        std::optional<Solution> found = solve(within(core, limit), limit);
        if (found && found->cost < best.cost) {
            return std::move(*found);
        }
        if (limit >= highest) {
            return best;
        }
    }
}

Packing pack(std::span<const Group> groups, std::uint32_t capacity, bool is_bound) {
    Relaxation relaxed = relax(groups, capacity, is_bound);
    const std::uint64_t residual = capacity - relaxed.weight;
    if (residual == 0 || (!is_bound && relaxed.price == 0)) {
        return packing_of(groups, relaxed.chosen);
    }
    Core core{{}, static_cast<std::int64_t>(residual), is_bound, relaxed.price};
    const double idle = static_cast<double>(residual) * relaxed.price;
    core.changes = changes_within(groups, relaxed, capacity,
                                  is_bound ? std::numeric_limits<double>::infinity() : idle);
    const double scale = std::abs(packing_of(groups, relaxed.chosen).value) + std::abs(idle);
    for (const OtherChoice& each : cheapest(core, groups.size(), scale).changes) {
        relaxed.chosen[each.group] = each.item;
    }
    return packing_of(groups, relaxed.chosen);
}

// The part of the capacity that can be filled where all grow by whole nodes.
std::uint32_t in_common_steps(std::span<const Group> groups, std::uint32_t capacity) {
    std::uint32_t step = 0;
    for (const Group& group : groups) {
        for (const Item& item : group) {
            step = std::gcd(step, item.weight);
            if (step == 1) {
                return capacity;
            }
        }
    }
    return step == 0 ? 0 : capacity - capacity % step;
}

}  // namespace

Packing pack_at_most(std::span<const Group> groups, std::uint32_t capacity) {
    return pack(groups, in_common_steps(groups, capacity), false);
}

Packing pack_at_least(std::span<const Group> groups, std::uint32_t least) {
    const std::optional<std::uint32_t> sum = smallest_sum(groups, least);
    if (!sum) {
        return {std::vector<std::uint32_t>(groups.size(), 0), 0};
    }
    return pack(groups, *sum, true);
}

}  // namespace hora::elastic
