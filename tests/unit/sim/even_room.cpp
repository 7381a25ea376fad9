// Is a job shown room from the first moment on at which nodes can give it its GPUs evenly?
#include "libplanner/sim/even_room.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <list>
#include <vector>

namespace hora::sim {
namespace {

struct Held {
    std::uint32_t gpus;
    double left;
};

TEST(EvenRoom, IsThereOnceEnoughJobsHaveEnded) {
    const struct {
        const char* name;
        std::vector<Held> held;  // of three nodes with four GPUs, by best fit, in this order
        std::uint32_t gpus;
        double from;
    } cases[] = {
        {"on idle nodes", {}, 12, 0},
        {"one on each of two", {{3, 9}, {3, 9}}, 2, 0},
        {"a whole node is free", {{4, 5}, {4, 9}}, 4, 0},
        {"three on one node", {{2, 9}, {2, 7}, {2, 3}, {2, 8}, {2, 4}, {2, 6}}, 3, 6},
        {"the first to end are not the right ones", {{3, 9}, {3, 1}, {3, 8}, {1, 2}}, 8, 8},
        {"all of them", {{4, 5}, {4, 9}, {1, 7}}, 12, 9},
        {"one that is past its limit is there still", {{4, -5}, {4, 0}, {4, 9}}, 8, 1},
    };
    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        Placement placement(3, 4);
        EvenRoom room(placement);
        std::list<Shares> shares;
        for (const Held& job : each.held) {
            room.hold(shares.emplace_back(placement.take(job.gpus)), Seconds(job.left));
        }
        EXPECT_EQ(room.from(each.gpus), Seconds(each.from));
        EXPECT_EQ(room.from(each.gpus), Seconds(each.from)) << "asked again";
    }
}

TEST(EvenRoom, SeesAJobThatStartsAfterItWasAsked) {
    Placement placement(1, 4);
    EvenRoom room(placement);
    const Shares first = placement.take(2);
    room.hold(first, Seconds(5));
    EXPECT_EQ(room.from(2), Seconds(0));
    EXPECT_EQ(room.from(4), Seconds(5));
    const Shares second = placement.take(2);
    room.hold(second, Seconds(9));
    EXPECT_EQ(room.from(2), Seconds(5));
    EXPECT_EQ(room.from(4), Seconds(9));
}

// All that have ended by a moment have given theirs back, and no others.
RC_GTEST_PROP(EvenRoom, IsTheFirstEndAfterWhichNodesCanGiveIt, ()) {
    const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 6);
    const auto each = *rc::gen::inRange<std::uint32_t>(1, 6);
    Placement placement(nodes, each);
    EvenRoom room(placement);
    std::list<std::pair<int, Shares>> held;
    while (placement.idle() > 0 && *rc::gen::inRange(0, 8) > 0) {
        const auto gpus = *rc::gen::inRange<std::uint32_t>(1, placement.idle() + 1);
        held.emplace_back(*rc::gen::inRange(1, 20), placement.take(gpus));
        room.hold(held.back().second, Seconds(held.back().first));
        const auto asked = *rc::gen::inRange<std::uint32_t>(1, nodes * each + 1);
        if (!placement.can_be_even(asked)) {
            continue;
        }
        const auto is_there = [&](int now) {
            Placement then = placement;
            for (const auto& [left, shares] : held) {
                if (left <= now) {
                    then.give_back(shares);
                }
            }
            return !then.find_even(asked).empty();
        };
        int from = 0;
        while (!is_there(from)) {
            ++from;
        }
        RC_ASSERT(room.from(asked) == Seconds(from));
    }
}

}  // namespace
}  // namespace hora::sim
