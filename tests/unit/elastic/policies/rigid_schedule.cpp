// Does each job get the earliest place that moves nobody who came before?
#include "libplanner/elastic/policies/rigid_schedule.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

namespace hora::elastic {
namespace {

struct Request {
    double submitted;
    std::uint32_t gpus;
    double length;
};

struct Case {
    const char* name;
    std::vector<Request> requests;  // on four GPUs
    std::vector<double> starts;
};

TEST(RigidSchedule, GivesTheEarliestPlaceThatMovesNobody) {
    const Case cases[] = {
        {"at once if there is room", {{5, 2, 10}, {6, 2, 10}}, {5, 6}},
        {"after another if there is none", {{0, 3, 10}, {1, 2, 10}}, {0, 10}},
        {"beside who waits, if it ends before he starts",
         {{0, 3, 10}, {1, 4, 10}, {2, 1, 8}},
         {0, 10, 2}},
        {"not beside him if it would hold him up",
         {{0, 3, 10}, {1, 4, 10}, {2, 1, 9}},
         {0, 10, 20}},
        {"between two", {{0, 4, 10}, {0, 2, 10}, {0, 4, 10}, {1, 2, 10}}, {0, 10, 20, 10}},
        {"what is over is free", {{0, 4, 10}, {10, 4, 10}}, {0, 10}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        RigidSchedule schedule(4);
        for (const Request& request : each.requests) {
            schedule.submit(request.gpus, Seconds(request.submitted), Seconds(request.length));
        }
        for (std::size_t job = 0; job < each.starts.size(); ++job) {
            EXPECT_EQ(schedule.slot(job).start, Seconds(each.starts[job])) << job;
        }
    }
}

TEST(RigidSchedule, MovesWhatHasNotBegunWhenALengthIsThoughtOfOtherwise) {
    RigidSchedule schedule(4);
    for (int i = 0; i < 3; ++i) {
        schedule.submit(4, Seconds(0), Seconds(10));
    }
    schedule.advance(Seconds(12));
    schedule.set_length(1, Seconds(25));
    schedule.advance(Seconds(12));
    EXPECT_EQ(schedule.slot(1).start, Seconds(10)) << "it has begun";
    EXPECT_EQ(schedule.slot(1).end, Seconds(35));
    EXPECT_EQ(schedule.slot(2).start, Seconds(35));
    EXPECT_EQ(schedule.next_start(Seconds(12)), Seconds(35));
    EXPECT_GT(schedule.next_start(Seconds(35)), Seconds(1e300)) << "none is left";
}

bool has_room(const std::vector<domain::Slot>& slots, int gpus, int from, int to,
              std::uint32_t wanted) {
    for (int time = from; time < to; ++time) {
        std::uint32_t used = wanted;
        for (const domain::Slot& slot : slots) {
            used += slot.start <= Seconds(time) && Seconds(time) < slot.end ? slot.gpus : 0;
        }
        if (used > static_cast<std::uint32_t>(gpus)) {
            return false;
        }
    }
    return true;
}

// Second by second.
RC_GTEST_PROP(RigidSchedule, EqualsATrialOfEachSecond, ()) {
    const int gpus = *rc::gen::inRange(1, 9);
    RigidSchedule schedule(static_cast<std::uint32_t>(gpus));
    std::vector<domain::Slot> slots;
    int now = 0;
    for (int count = *rc::gen::inRange(1, 12); count > 0; --count) {
        now += *rc::gen::inRange(0, 8);
        const auto wanted = static_cast<std::uint32_t>(*rc::gen::inRange(1, gpus + 1));
        const int length = *rc::gen::inRange(1, 20);
        int start = now;
        while (!has_room(slots, gpus, start, start + length, wanted)) {
            ++start;
        }
        const std::size_t job = schedule.submit(wanted, Seconds(now), Seconds(length));
        RC_ASSERT(schedule.slot(job).start == Seconds(start));
        RC_ASSERT(schedule.slot(job).end == Seconds(start + length));
        slots.push_back(schedule.slot(job));
    }
}

}  // namespace
}  // namespace hora::elastic
