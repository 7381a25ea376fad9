// Does the programme over a few changes find the cheapest of all, and nothing beyond its limit?
#include "libplanner/elastic/policies/core_programme.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hora::elastic {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// What a sum of changes costs with what it leaves unused.
double total(const Core& core, std::int64_t weight, double cost) {
    const std::int64_t unused = core.residual - weight;
    if (unused < 0 || (core.is_bound && unused > 0)) {
        return never;
    }
    return cost + (unused > 0 ? core.price * static_cast<double>(unused) : 0);
}

// Every choice of at most one change a group.
double cheapest(const Core& core, std::size_t first, std::int64_t weight, double cost) {
    if (first == core.changes.size()) {
        return total(core, weight, cost);
    }
    std::size_t end = first;
    while (end < core.changes.size() && core.changes[end].group == core.changes[first].group) {
        ++end;
    }
    double best = cheapest(core, end, weight, cost);
    for (std::size_t i = first; i < end; ++i) {
        best = std::min(best, cheapest(core, end, weight + core.changes[i].weight,
                                       cost + core.changes[i].cost));
    }
    return best;
}

Core any_core(double limit) {
    Core core;
    core.residual = *rc::gen::inRange(1, 12);
    core.is_bound = *rc::gen::arbitrary<bool>();
    core.price = *rc::gen::inRange(1, 8);
    const int groups = *rc::gen::inRange(0, 6);
    for (int group = 0; group < groups; ++group) {
        const int changes = *rc::gen::inRange(1, 4);
        for (int i = 0; i < changes; ++i) {
            const double cost = *rc::gen::inRange(0, 10);
            if (cost <= limit) {
                core.changes.push_back({static_cast<std::uint32_t>(group),
                                        static_cast<std::uint32_t>(i),
                                        *rc::gen::inRange<std::int64_t>(-12, 13), cost});
            }
        }
    }
    return core;
}

RC_GTEST_PROP(CoreProgramme, FindsTheCheapestWithinItsLimit, ()) {
    const double limit = *rc::gen::inRange(0, 30);
    const Core core = any_core(limit);
    const double best = cheapest(core, 0, 0, 0);
    const std::optional<Solution> found = solve(core, limit);
    RC_ASSERT(found.has_value() == (best <= limit));
    if (found) {
        RC_ASSERT(found->cost == best);
        std::int64_t weight = 0;
        double cost = 0;
        for (const OtherChoice& each : found->changes) {
            weight += each.weight;
            cost += each.cost;
        }
        RC_ASSERT(total(core, weight, cost) == best);
    }
}

TEST(CoreProgramme, GoesBeyondTheResidualOnItsWay) {
    const Core core{{{0, 1, 5, 1}, {1, 1, -3, 1}}, 2, true, 0};
    const std::optional<Solution> found = solve(core, 2);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->changes.size(), 2u);
    EXPECT_EQ(found->cost, 2);
}

}  // namespace
}  // namespace hora::elastic
