// Does each job get the earliest place that moves none before it?
#include "libplanner/elastic/policies/rigid_schedule.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace hora::elastic {
namespace {

struct Request {
    std::uint32_t gpus;
    double length;
};

struct Case {
    const char* name;
    std::vector<Request> requests;  // on four GPUs
    std::vector<double> starts;
};

TEST(RigidSchedule, GivesTheEarliestPlaceThatMovesNoJob) {
    const Case cases[] = {
        {"at once if there is room", {{2, 10}, {2, 10}}, {0, 0}},
        {"after another if there is none", {{3, 10}, {2, 10}}, {0, 10}},
        {"beside one that waits, if it ends before that starts",
         {{3, 10}, {4, 10}, {1, 8}},
         {0, 10, 0}},
        {"also if it ends as that starts", {{3, 10}, {4, 10}, {1, 10}}, {0, 10, 0}},
        {"not beside one that it would delay", {{3, 10}, {4, 10}, {1, 11}}, {0, 10, 20}},
        {"between two", {{4, 10}, {2, 10}, {4, 10}, {2, 10}}, {0, 10, 20, 10}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        RigidSchedule schedule(4);
        for (std::size_t job = 0; job < each.requests.size(); ++job) {
            const auto [gpus, length] = each.requests[job];
            const Seconds start = schedule.earliest(gpus, Seconds(length));
            EXPECT_EQ(start, Seconds(each.starts[job])) << job;
            EXPECT_EQ(schedule.submit(gpus, Seconds(length)), start) << job;
        }
    }
}

TEST(RigidSchedule, StartsNoJobBeforeItCan) {
    const struct {
        const char* name;
        std::vector<Request> before;  // on four GPUs
        double from;
        double start;
    } cases[] = {
        {"when it can", {}, 5, 5},
        {"not while another has them", {{3, 10}}, 5, 10},
        {"as another ends", {{3, 10}}, 10, 10},
        {"after all others", {{3, 10}}, 15, 15},
        {"beside another", {{2, 10}}, 5, 5},
        {"not into the place of one that waits", {{3, 10}, {3, 10}}, 5, 20},
    };
    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        RigidSchedule schedule(4);
        for (const auto& [gpus, length] : each.before) {
            schedule.submit(gpus, Seconds(length));
        }
        EXPECT_EQ(schedule.submit(2, Seconds(10), Seconds(each.from)), Seconds(each.start));
    }
}

struct Place {
    int start;
    int end;
    int gpus;
};

bool has_room(const std::vector<Place>& places, int gpus, const Place& wanted) {
    for (int time = wanted.start; time < wanted.end; ++time) {
        int used = wanted.gpus;
        for (const Place& place : places) {
            used += place.start <= time && time < place.end ? place.gpus : 0;
        }
        if (used > gpus) {
            return false;
        }
    }
    return true;
}

// Second by second.
RC_GTEST_PROP(RigidSchedule, EqualsATrialOfEachSecond, ()) {
    const int gpus = *rc::gen::inRange(1, 9);
    RigidSchedule schedule(static_cast<std::uint32_t>(gpus));
    std::vector<Place> places;
    for (int count = *rc::gen::inRange(1, 12); count > 0; --count) {
        const int wanted = *rc::gen::inRange(1, gpus + 1);
        const int length = *rc::gen::inRange(1, 20);
        const int from = *rc::gen::element(0, 0, 3, 17);
        Place place{from, from + length, wanted};
        while (!has_room(places, gpus, place)) {
            ++place.start;
            ++place.end;
        }
        const Seconds start =
            schedule.submit(static_cast<std::uint32_t>(wanted), Seconds(length), Seconds(from));
        RC_ASSERT(start == Seconds(place.start));
        places.push_back(place);
    }
}

}  // namespace
}  // namespace hora::elastic
