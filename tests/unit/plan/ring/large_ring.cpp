// Is an order of many GPUs good where the links are a tree, and never bettered by one exchange?
#include "libplanner/plan/ring/large_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <numeric>

#include "libplanner/plan/ring/ring.hpp"
#include "tests/unit/any_number.hpp"

namespace hora::plan {
namespace {

using hora::testing::any_number;
using Order = std::vector<std::uint32_t>;
using Table = std::vector<Bandwidth>;

struct Box {
    std::size_t count = 0;
    Table between;
};

Box any_box(std::size_t least, std::size_t most) {
    Box box{any_number(least, most + 1), {}};
    box.between.resize(box.count * box.count);
    const int kinds = any_number(1, 6);
    for (std::size_t a = 0; a < box.count; ++a) {
        for (std::size_t b = a + 1; b < box.count; ++b) {
            box.between[a * box.count + b] = box.between[b * box.count + a] =
                Bandwidth(any_number(0, kinds) * 1e9);
        }
    }
    return box;
}

// Groups in groups: the links between two of them are alike, and slower further out.
Box any_tree(std::size_t least, std::size_t most) {
    Box box{any_number(least, most + 1), {}};
    std::vector<std::uint32_t> groups(box.count);
    for (std::uint32_t& group : groups) {
        group = any_number<std::uint32_t>(0, 12);
    }
    for (std::size_t a = 0; a < box.count; ++a) {
        for (std::size_t b = 0; b < box.count; ++b) {
            const double speed = groups[a] == groups[b]           ? 24e9
                                 : groups[a] / 2 == groups[b] / 2 ? 12e9
                                 : groups[a] / 6 == groups[b] / 6 ? 6e9
                                                                  : 3e9;
            box.between.push_back(Bandwidth(speed));
        }
    }
    return box;
}

std::vector<double> speeds_of(const Box& box, const Order& order, bool is_closed) {
    std::vector<double> speeds;
    for (std::size_t i = 0; i + (is_closed ? 0 : 1) < order.size() && order.size() > 1; ++i) {
        speeds.push_back(box.between[order[i] * box.count + order[(i + 1) % order.size()]].count());
    }
    std::sort(speeds.begin(), speeds.end());
    return speeds;
}

void check_each_once(Order order) {
    Order all(order.size());
    std::iota(all.begin(), all.end(), 0U);
    std::sort(order.begin(), order.end());
    RC_ASSERT(order == all);
}

RC_GTEST_PROP(LargeRing, EqualsTheExactOneOnATree, ()) {
    const Box box = any_tree(1, 11);
    const LinkTable links(box.between, box.count);
    RC_ASSERT(speeds_of(box, large_cycle(links), true) ==
              speeds_of(box, best_ring(box.between, box.count).order, true));
    RC_ASSERT(speeds_of(box, large_path(links), false) ==
              speeds_of(box, best_chain(box.between, box.count).order, false));
}

// Turning any stretch around makes the sorted speeds no greater.
RC_GTEST_PROP(LargeRing, IsNotBetteredByOneExchange, ()) {
    const Box box = any_box(1, 24);
    const LinkTable links(box.between, box.count);
    const std::pair<Order, bool> orders[] = {{large_cycle(links), true},
                                             {large_path(links), false}};
    for (const auto& [order, is_closed] : orders) {
        RC_ASSERT(order.size() == box.count);
        check_each_once(order);
        const auto speeds = speeds_of(box, order, is_closed);
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (std::size_t j = i + 1; j < order.size(); ++j) {
                Order turned = order;
                std::reverse(turned.begin() + static_cast<std::ptrdiff_t>(i),
                             turned.begin() + static_cast<std::ptrdiff_t>(j) + 1);
                RC_ASSERT(speeds_of(box, turned, is_closed) <= speeds);
            }
        }
    }
}

RC_GTEST_PROP(LargeRing, StartsAndTurnsTheSameWay, ()) {
    const Box box = any_box(3, 40);
    const LinkTable links(box.between, box.count);
    const Order cycle = large_cycle(links);
    RC_ASSERT(cycle.front() == 0U);
    RC_ASSERT(cycle[1] < cycle.back());
    const Order path = large_path(links);
    RC_ASSERT(path.front() < path.back());
}

TEST(LargeRing, OfOneAndTwo) {
    const Table between(4, Bandwidth(1e9));
    EXPECT_EQ(large_cycle(LinkTable(std::span(between).first(1), 1)), Order{0});
    EXPECT_EQ(large_path(LinkTable(std::span(between).first(1), 1)), Order{0});
    EXPECT_EQ(large_cycle(LinkTable(between, 2)), (Order{0, 1}));
    EXPECT_EQ(large_path(LinkTable(between, 2)), (Order{0, 1}));
}

}  // namespace
}  // namespace hora::plan
