#include "libplanner/read/cluster/switch_order.hpp"

#include <gtest/gtest.h>

namespace hora::read {
namespace {

struct Case {
    const char* name;
    std::vector<std::uint32_t> parents;
    std::vector<std::uint32_t> bottom_up;
    std::vector<bool> is_leaf;
};

TEST(SwitchOrder, PutsChildrenBeforeTheirParents) {
    const Case cases[] = {
        {"a switch alone is a leaf", {no_switch}, {0}, {true}},
        {"a spine comes after its leaves", {no_switch, 0, 0}, {1, 2, 0}, {false, true, true}},
        {"a chain is gone up step by step", {1, 2, no_switch}, {0, 1, 2}, {true, false, false}},
        {"a parent waits for its last child",
         {no_switch, 0, 1, 0},
         {2, 3, 1, 0},
         {false, false, true, true}},
    };
    for (const Case& each : cases) {
        std::vector<SwitchDescription> switches;
        for (const std::uint32_t parent : each.parents) {
            switches.push_back({"s", parent, {}, {}});
        }
        const auto order = order_switches(switches);
        ASSERT_TRUE(order) << each.name;
        EXPECT_EQ(order->bottom_up, each.bottom_up) << each.name;
        EXPECT_EQ(order->is_leaf, each.is_leaf) << each.name;
    }
}

TEST(SwitchOrder, RefusesWhatIsNoTree) {
    const std::vector<SwitchDescription> circle{{"a", 1, {}, {}}, {"b", 0, {}, {}}};
    EXPECT_EQ(order_switches(circle).error().message,
              "switch \"a\" is above itself; give the topmost switch no parent");
    const std::vector<SwitchDescription> stray{{"a", 7, {}, {}}};
    EXPECT_EQ(order_switches(stray).error().message, "switch \"a\" has a parent that is none");
}

}  // namespace
}  // namespace hora::read
