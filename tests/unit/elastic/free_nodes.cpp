// Which nodes could give a job so many GPUs?
#include "libplanner/elastic/free_nodes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace hora::elastic {
namespace {

using domain::NodeGpus;

TEST(FreeNodes, CountsTheFewest) {
    struct Case {
        const char* name;
        std::vector<std::uint32_t> free;
        std::vector<NodeGpus> held;
        std::uint32_t gpus;
        std::uint32_t nodes;
    };
    const Case cases[] = {
        {"one node holds it", {1, 4}, {}, 4, 1},
        {"two halves", {2, 3}, {}, 4, 2},
        {"as many on each", {1, 3}, {}, 4, 0},
        {"its own count as idle", {1, 3}, {{0, 1}}, 4, 2},
        {"all of a node that it holds a part of", {2, 2}, {{0, 2}}, 4, 1},
        {"more than a node has", {4, 4}, {}, 8, 2},
        {"a prime number, one on each", {1, 1, 1, 1, 1}, {}, 5, 5},
        {"more than there are", {4}, {}, 5, 0},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(FreeNodes(each.free, 4).fewest(each.gpus, each.held), each.nodes);
    }
}

TEST(FreeNodes, KnowsThatNothingIsKnown) {
    EXPECT_FALSE(FreeNodes({}, 4).is_known());
    const std::vector<std::uint32_t> free{0};
    EXPECT_TRUE(FreeNodes(free, 4).is_known());
}

// By trying each number of nodes on each node.
RC_GTEST_PROP(FreeNodes, CountsWhatTrialFinds, ()) {
    const auto per_node = *rc::gen::inRange(1U, 9U);
    const auto count = *rc::gen::inRange(1U, 7U);
    std::vector<std::uint32_t> free;
    std::vector<NodeGpus> held;
    for (std::uint32_t node = 0; node < count; ++node) {
        free.push_back(*rc::gen::inRange(0U, per_node + 1));
        const auto own = *rc::gen::inRange(0U, per_node - free.back() + 1);
        if (own > 0) {
            held.push_back({node, own});
        }
    }
    const auto gpus = *rc::gen::inRange(1U, per_node * count + 2);
    std::vector<std::uint32_t> whole = free;
    for (const NodeGpus& own : held) {
        whole[own.node] += own.gpus;
    }
    std::uint32_t fewest = 0;
    for (std::uint32_t nodes = count; nodes > 0; --nodes) {
        const auto able = std::count_if(whole.begin(), whole.end(),
                                        [&](std::uint32_t has) { return has * nodes >= gpus; });
        fewest = gpus % nodes == 0 && able >= static_cast<std::ptrdiff_t>(nodes) ? nodes : fewest;
    }
    RC_ASSERT(FreeNodes(free, per_node).fewest(gpus, held) == fewest);
}

}  // namespace
}  // namespace hora::elastic
