// Does each job get the fullest node that holds it?
#include "libplanner/sim/placement.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace hora::sim {
namespace {

std::string text_of(const Shares& shares) {
    std::string text;
    for (const Share& share : shares) {
        text += (text.empty() ? "" : " ") + std::to_string(share.node) + ":" +
                std::to_string(share.gpus);
    }
    return text;
}

struct Case {
    const char* name;
    std::vector<std::uint32_t> before;  // taken one after the other
    std::uint32_t gpus;
    const char* wanted;
};

TEST(Placement, IsBestFit) {
    const Case cases[] = {
        {"the first of nodes that are alike", {}, 2, "0:2"},
        {"the fullest node that holds it", {3, 2, 4}, 1, "0:1"},
        {"a fuller node that cannot hold it is passed over", {3, 2}, 2, "1:2"},
        {"a job larger than a node starts with a whole one", {3}, 6, "1:4 2:2"},
        {"whole nodes first, then the fullest node that holds the rest", {2}, 6, "1:4 0:2"},
        {"no node holds it: the emptiest ones first", {3, 2, 3}, 3, "1:2 0:1"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Placement placement(3, 4);
        for (const std::uint32_t gpus : each.before) {
            placement.take(gpus);
        }
        EXPECT_EQ(text_of(placement.take(each.gpus)), each.wanted);
    }
}

RC_GTEST_PROP(Placement, NeverGivesAGpuTwiceAndUsesFewestNodesOnAnEmptyCluster, ()) {
    const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 8);
    const auto each = *rc::gen::inRange<std::uint32_t>(1, 9);
    Placement placement(nodes, each);
    std::vector<Shares> held;
    std::map<std::uint32_t, std::uint32_t> used;
    for (int step = 0; step < 40; ++step) {
        if (!held.empty() && *rc::gen::arbitrary<bool>()) {
            const auto gone = *rc::gen::inRange<std::size_t>(0, held.size());
            placement.give_back(held[gone]);
            for (const Share& share : held[gone]) {
                used[share.node] -= share.gpus;
            }
            held.erase(held.begin() + static_cast<std::ptrdiff_t>(gone));
            continue;
        }
        const auto gpus = *rc::gen::inRange<std::uint32_t>(0, placement.idle() + 1);
        const bool was_empty = placement.idle() == nodes * each;
        const Shares shares = placement.take(gpus);
        std::uint32_t sum = 0;
        for (const Share& share : shares) {
            RC_ASSERT(share.node < nodes);
            sum += share.gpus;
            used[share.node] += share.gpus;
            RC_ASSERT(used[share.node] <= each);
        }
        RC_ASSERT(sum == gpus);
        RC_ASSERT(!was_empty || shares.size() == (gpus + each - 1) / each);
        held.push_back(shares);
    }
}

struct EvenCase {
    const char* name;
    std::vector<std::uint32_t> before;  // taken one after the other, on nodes of four
    std::uint32_t gpus;
    Shares held;  // of what is taken
    const char* wanted;
};

TEST(Placement, FindsAsManyOnEachOfTheFewestNodes) {
    const EvenCase cases[] = {
        {"one node where one has them", {3}, 2, {}, "1:2"},
        {"the fullest that has them", {2, 3}, 2, {}, "0:2"},
        {"three nodes have no five", {}, 5, {}, ""},
        {"six on two nodes, and not four and two", {}, 6, {}, "0:3 1:3"},
        {"one each where no node has more", {3, 3, 3}, 3, {}, "0:1 1:1 2:1"},
        {"what it holds counts as free", {4, 4, 2}, 4, {{0, 4}}, "0:4"},
        {"and what is free beside it", {4, 4, 2}, 6, {{2, 2}}, ""},
        {"more than there are", {}, 13, {}, ""},
    };
    for (const EvenCase& each : cases) {
        SCOPED_TRACE(each.name);
        Placement placement(3, 4);
        for (const std::uint32_t gpus : each.before) {
            placement.take(gpus);
        }
        EXPECT_EQ(text_of(placement.find_even(each.gpus, each.held)), each.wanted);
    }
}

// By trying each number of nodes.
bool has_even(const std::vector<std::uint32_t>& free, std::uint32_t gpus) {
    for (std::uint32_t nodes = 1; nodes <= free.size(); ++nodes) {
        const auto fits = std::count_if(free.begin(), free.end(), [&](std::uint32_t one) {
            return gpus % nodes == 0 && one >= gpus / nodes;
        });
        if (gpus % nodes == 0 && fits >= nodes) {
            return true;
        }
    }
    return false;
}

RC_GTEST_PROP(Placement, FindsItWhereverThereIsOne, ()) {
    const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 5);
    const auto each = *rc::gen::inRange<std::uint32_t>(1, 5);
    Placement placement(nodes, each);
    std::vector<std::uint32_t> free(nodes, each);
    for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
        const auto taken = *rc::gen::inRange<std::uint32_t>(0, placement.idle() + 1);
        for (const Share& share : placement.take(taken)) {
            free[share.node] -= share.gpus;
        }
    }
    const auto gpus = *rc::gen::inRange<std::uint32_t>(1, nodes * each + 2);
    const Shares found = placement.find_even(gpus);
    RC_ASSERT(found.empty() != has_even(free, gpus));
    RC_ASSERT(found.empty() || placement.can_be_even(gpus));
    for (const Share& share : found) {
        RC_ASSERT(share.gpus * found.size() == gpus);
        RC_ASSERT(share.gpus <= free[share.node]);
    }
    RC_ASSERT(placement.can_be_even(gpus) == has_even(std::vector(nodes, each), gpus));
}

}  // namespace
}  // namespace hora::sim
