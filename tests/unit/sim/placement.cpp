// Does each job get the fullest node that holds it?
#include "libplanner/sim/placement.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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

}  // namespace
}  // namespace hora::sim
