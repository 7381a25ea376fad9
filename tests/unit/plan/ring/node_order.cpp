#include "libplanner/plan/ring/node_order.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "tests/unit/any_number.hpp"

namespace hora::plan {
namespace {

using Order = std::vector<std::uint32_t>;
using domain::no_fabric_switch;

constexpr std::uint32_t none = no_fabric_switch;

using hora::testing::any_number;

Fabric fabric_of(const Order& parents, const Order& attached_to) {
    Fabric fabric;
    for (const std::uint32_t parent : parents) {
        fabric.switches.push_back({"s" + std::to_string(fabric.switches.size()), parent});
    }
    fabric.attached_to = attached_to;
    return fabric;
}

struct Case {
    const char* sentence;
    Order parents;      // of each switch
    Order attached_to;  // of each node
    Order nodes;
    Order order;
    std::uint64_t before;
    std::uint64_t after;
};

const Case cases[] = {
    {"no node has no order", {}, {}, {}, {}, 0, 0},
    {"one node crosses nothing", {none}, {0}, {0}, {0}, 0, 0},
    {"without switches the order stays", {}, {}, {3, 1, 2}, {3, 1, 2}, 0, 0},
    {"one switch is never left", {none}, {0, 0, 0}, {2, 0, 1}, {2, 0, 1}, 0, 0},
    {"two leaves are crossed there and back", {2, 2, none}, {0, 1}, {0, 1}, {0, 1}, 4, 4},
    {"interleaved names come together",
     {3, 3, 3, none},
     {0, 1, 2, 0, 1, 2, 0, 1},
     {0, 1, 2, 3, 4, 5, 6, 7},
     {0, 3, 6, 1, 4, 7, 2, 5},
     16,
     6},
    {"the first stays the first, and its leaf is the first leaf",
     {2, 2, none},
     {0, 1, 0, 1},
     {3, 0, 1, 2},
     {3, 1, 0, 2},
     8,
     4},
    {"pods stay together above their leaves",
     {4, 4, 5, 5, 6, 6, none},
     {0, 2, 1, 3},
     {0, 1, 2, 3},
     {0, 2, 1, 3},
     16,
     12},
    {"a node on an inner switch is at home there",
     {1, none},
     {0, 1, 0},
     {0, 1, 2},
     {0, 2, 1},
     2,
     2},
    {"roots meet outside, and so do nodes on no switch",
     {none, none},
     {0, 1, none, 0, 1},
     {0, 1, 2, 3, 4},
     {0, 3, 1, 4, 2},
     8,
     4},
    {"a depth that is uneven", {2, 2, 4, 4, none}, {0, 3, 1, 0}, {0, 1, 2, 3}, {0, 3, 2, 1}, 8, 8},
    {"switches above each other change nothing", {1, 0}, {0, 1, 0}, {0, 1, 2}, {0, 1, 2}, 2, 2},
};

TEST(NodeOrder, EntersEachSwitchOnce) {
    for (const Case& test : cases) {
        const Fabric fabric = fabric_of(test.parents, test.attached_to);
        EXPECT_EQ(order_nodes(fabric, test.nodes), test.order) << test.sentence;
        EXPECT_EQ(crossings(fabric, test.nodes), test.before) << test.sentence;
        EXPECT_EQ(crossings(fabric, test.order), test.after) << test.sentence;
    }
}

// Any forest: switches of any depth, nodes on leaves, on inner switches and on none.
Fabric any_fabric(std::size_t nodes) {
    const auto switches = any_number<std::uint32_t>(0, 9);
    const auto above = [&](std::uint32_t below) {
        const std::uint32_t pick = any_number<std::uint32_t>(0, below + 1);
        return pick == below ? none : pick;
    };
    Order parents;
    Order attached_to;
    for (std::uint32_t i = 0; i < switches; ++i) {
        parents.push_back(above(i));
    }
    for (std::size_t i = 0; i < nodes; ++i) {
        attached_to.push_back(above(switches));
    }
    return fabric_of(parents, attached_to);
}

Order some_nodes(std::size_t known, std::size_t most) {
    Order nodes(known);
    std::iota(nodes.begin(), nodes.end(), 0u);
    const auto random =
        *rc::gen::container<std::vector<std::uint32_t>>(known, rc::gen::arbitrary<std::uint32_t>());
    for (std::size_t i = known; i > 1; --i) {
        std::swap(nodes[i - 1], nodes[random[i - 1] % i]);
    }
    nodes.resize(std::min(known, any_number<std::size_t>(1, most + 1)));
    return nodes;
}

TEST(NodeOrder, CrossesAsLittleAsAnyOrder) {
    EXPECT_TRUE(rc::check([] {
        const Fabric fabric = any_fabric(10);
        const Order nodes = some_nodes(10, 7);
        const Order order = order_nodes(fabric, nodes);
        RC_ASSERT(order[0] == nodes[0]);
        Order any = nodes;
        std::sort(any.begin(), any.end());
        RC_ASSERT(std::is_permutation(order.begin(), order.end(), any.begin(), any.end()));
        std::uint64_t least = crossings(fabric, any);
        while (std::next_permutation(any.begin() + 1, any.end())) {
            least = std::min(least, crossings(fabric, any));
        }
        RC_ASSERT(crossings(fabric, order) == least);
        RC_ASSERT(order_nodes(fabric, order) == order);
    }));
}

TEST(NodeOrder, CrossesAsLittleAsAnyOrderOfEight) {
    const Fabric fabric = fabric_of({3, 3, 4, 5, 5, none}, {0, 1, 2, 0, 4, 1, none, 5});
    Order any(8);
    std::iota(any.begin(), any.end(), 0u);
    std::uint64_t least = crossings(fabric, any);
    const Order order = order_nodes(fabric, any);
    while (std::next_permutation(any.begin() + 1, any.end())) {
        least = std::min(least, crossings(fabric, any));
    }
    EXPECT_EQ(crossings(fabric, order), least);
}

TEST(NodeOrder, AnyTableOfSwitchesEnds) {
    EXPECT_TRUE(rc::check([](const Order& parents, const Order& attached_to, const Order& nodes) {
        Order near = parents;
        for (std::uint32_t& parent : near) {
            parent %= 8;  // so that switches are above each other
        }
        const Fabric fabric = fabric_of(near, attached_to);
        const Order order = order_nodes(fabric, nodes);
        RC_ASSERT(std::is_permutation(order.begin(), order.end(), nodes.begin(), nodes.end()));
        crossings(fabric, order);
    }));
}

}  // namespace
}  // namespace hora::plan
