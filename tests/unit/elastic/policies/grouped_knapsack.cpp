// Is the knapsack exact, whatever the values are?
#include "libplanner/elastic/policies/grouped_knapsack.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace hora::elastic {
namespace {

struct Case {
    const char* name;
    std::vector<Group> groups;
    std::uint32_t capacity;
    std::vector<std::uint32_t> weights;
    double value;
};

const Group concave{{1, 10}, {2, 15}, {3, 17}};
const Group powers{{1, 1}, {3, 12}, {7, 20}};
const Group slowed_down{{1, 8}, {2, 5}, {3, -4}};

TEST(GroupedKnapsack, FillsACapacityWithTheBest) {
    const Case cases[] = {
        {"without groups nothing is worth anything", {}, 5, {}, 0},
        {"without capacity nothing is chosen", {concave}, 0, {0}, 0},
        {"a lone group takes its best", {concave}, 9, {3}, 17},
        {"one that slows down stops before", {slowed_down}, 3, {1}, 8},
        {"the first of equals comes first", {concave, concave}, 1, {1, 0}, 10},
        {"the greater step at first leaves no room for the best", {powers, concave}, 4, {3, 1}, 22},
        {"a jump that does not fit is passed over", {powers, concave}, 2, {0, 2}, 15},
        {"whole nodes fill as much as they can", {{{4, 9}, {8, 12}}, {{4, 5}}}, 8, {4, 4}, 14},
        {"and leave the rest of a node", {{{4, 9}, {8, 12}}, {{4, 5}}}, 11, {4, 4}, 14},
        {"what is worth nothing stays away", {{{1, 0}}, {{1, -3}}}, 2, {0, 0}, 0},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const Packing packing = pack_at_most(each.groups, each.capacity);
        EXPECT_EQ(packing.weights, each.weights);
        EXPECT_DOUBLE_EQ(packing.value, each.value);
    }
}

TEST(GroupedKnapsack, GivesBackJustEnoughAtTheLeastLoss) {
    const Group cheap{{1, -1}, {2, -5}};
    const Group halves{{4, -3}, {6, -20}};
    const Case cases[] = {
        {"nothing is asked for", {cheap}, 0, {0}, 0},
        {"the cheapest gives", {cheap, {{1, -2}}}, 1, {1, 0}, -1},
        {"exactly so many, even where more would cost less", {{{1, -9}, {2, -1}}}, 1, {1}, -9},
        {"halving gives more than was asked for", {halves}, 3, {4}, -3},
        {"the sum nearest above is taken", {halves, cheap}, 5, {4, 1}, -4},
        {"a gain is taken", {{{1, 2}}, {{1, -2}}}, 1, {1, 0}, 2},
        {"too little is nothing", {cheap}, 3, {0}, 0},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const Packing packing = pack_at_least(each.groups, each.capacity);
        EXPECT_EQ(packing.weights, each.weights);
        EXPECT_DOUBLE_EQ(packing.value, each.value);
    }
}

// Curves of time saved by more GPUs, or values without any order.
Group any_group(std::uint32_t most) {
    const int kind = *rc::gen::inRange(0, 6);
    const double left = *rc::gen::inRange(1, 1000);
    const double exchange = *rc::gen::inRange(0, 20);
    const auto held = *rc::gen::inRange<std::uint32_t>(1, 9);
    const auto step = *rc::gen::inRange<std::uint32_t>(1, 6);
    Group group;
    for (std::uint32_t w = 1; w <= most; ++w) {
        const std::uint32_t g = held + w;
        const double falling = left * (1.0 / held - 1.0 / g);
        const double value = kind == 0   ? falling
                             : kind == 1 ? falling - exchange * w
                             : kind == 2 ? falling - (g > 8 ? exchange * 4 : 0)
                             : kind == 3 ? *rc::gen::inRange(-20, 40)
                                         : left * w;
        const bool is_allowed = kind == 4   ? (g & (g - 1)) == 0
                                : kind == 5 ? w % step == 0
                                            : kind != 3 || *rc::gen::arbitrary<bool>();
        if (is_allowed) {
            group.push_back({w, value});
        }
    }
    return group;
}

std::vector<Group> any_groups(int most_groups, std::uint32_t most_weight) {
    std::vector<Group> groups;
    const int count = *rc::gen::inRange(0, most_groups + 1);
    for (int i = 0; i < count; ++i) {
        groups.push_back(any_group(*rc::gen::inRange<std::uint32_t>(0, most_weight + 1)));
    }
    return groups;
}

// P5's losses are gains with the sign turned.
std::vector<Group> lost(std::vector<Group> groups) {
    for (Group& group : groups) {
        for (Item& item : group) {
            item.value = -item.value;
        }
    }
    return groups;
}

bool is_near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b));
}

// Every choice of every group: the best value by the sum of its weights.
void try_all(std::span<const Group> groups, std::uint32_t weight, double value,
             std::vector<std::pair<bool, double>>& best) {
    if (groups.empty()) {
        auto& [is_reached, most] = best[weight];
        most = is_reached ? std::max(most, value) : value;
        is_reached = true;
        return;
    }
    try_all(groups.subspan(1), weight, value, best);
    for (const Item& item : groups[0]) {
        try_all(groups.subspan(1), weight + item.weight, value + item.value, best);
    }
}

// The packing's own weights and value agree.
void check_sums(std::span<const Group> groups, const Packing& packing) {
    double value = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (packing.weights[i] > 0) {
            const auto found =
                std::find_if(groups[i].begin(), groups[i].end(),
                             [&](const Item& item) { return item.weight == packing.weights[i]; });
            RC_ASSERT(found != groups[i].end());
            value += found->value;
        }
    }
    RC_ASSERT(is_near(packing.value, value));
}

std::uint32_t total(const Packing& packing) {
    std::uint32_t sum = 0;
    for (const std::uint32_t weight : packing.weights) {
        sum += weight;
    }
    return sum;
}

RC_GTEST_PROP(GroupedKnapsack, EqualsTheBestOfAllChoices, ()) {
    const bool is_loss = *rc::gen::arbitrary<bool>();
    const std::vector<Group> groups = is_loss ? lost(any_groups(4, 8)) : any_groups(4, 8);
    const auto capacity = *rc::gen::inRange<std::uint32_t>(0, 36);
    std::vector<std::pair<bool, double>> best(40, {false, 0});
    try_all(groups, 0, 0, best);
    double most = 0;
    for (std::uint32_t k = 0; k <= capacity; ++k) {
        most = best[k].first ? std::max(most, best[k].second) : most;
    }
    const Packing packing = pack_at_most(groups, capacity);
    check_sums(groups, packing);
    RC_ASSERT(total(packing) <= capacity);
    RC_ASSERT(is_near(packing.value, most));

    const Packing exact = pack_at_least(groups, capacity);
    check_sums(groups, exact);
    std::uint32_t sum = capacity;
    while (sum < best.size() && !best[sum].first) {
        ++sum;
    }
    RC_ASSERT(total(exact) == (sum < best.size() ? sum : 0));
    RC_ASSERT(is_near(exact.value, sum < best.size() ? best[sum].second : 0));
}

}  // namespace
}  // namespace hora::elastic
