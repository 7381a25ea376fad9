// Does the next GPU go to the winner of a comparison in pairs?
#include "libplanner/elastic/policies/afs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>

#include "libplanner/elastic/worth/sizes.hpp"
#include "tests/unit/elastic/policies/published.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

TEST(ApatheticFutureShare, ComparesInPairs) {
    const PublishedCase cases[] = {
        {"the shortest starts first", "afs", 1, 0, {{0, 1, 9, levels}, {0, 1, 1, levels}}, {0, 1}},
        // The short one would gain 7/4 - 1 = 0.75 of its speed, the waiting one all of it.
        {"a waiting one beats one that levels out",
         "afs",
         2,
         0,
         {{1, 1, 1, levels}, {0, 1, 9, levels}},
         {1, 1}},
        // (30/25 - 1) against (15 - 20) / 15 of 1/20: 0.2 < 0.25.
        {"the efficient one wins, though it is longer",
         "afs",
         8,
         0,
         {{0, 1, 1, slows}, {0, 1, 9, linear}},
         {2, 4}},
        {"among equals the shorter one is ahead",
         "afs",
         3,
         0,
         {{0, 1, 2, linear}, {0, 1, 1, linear}},
         {1, 2}},
        {"a step that brings nothing is not taken", "afs", 4, 0, {{0, 1, 1, {60, 60, 60}}}, {1}},
        {"requests from outside have one each", "afs", 4, 2, {{4, 1, 1, levels}}, {2}},
    };
    for (const PublishedCase& each : cases) {
        check(each);
    }
}

// Who could still use what idles would have got it.
RC_GTEST_PROP(ApatheticFutureShare, LeavesNothingThatAJobCouldUse, ()) {
    MadeState made;
    make_up(made);
    const Allocation result = ApatheticFutureShare().decide(made.state);
    std::uint64_t taken = made.state.waiting;
    double speed_ups = 0;
    for (std::size_t i = 0; i < result.gpus.size(); ++i) {
        const domain::ElasticJob& job = made.state.jobs[i];
        taken += result.gpus[i];
        if (result.gpus[i] > 0) {
            speed_ups += epoch_time(job, 1) / epoch_time(job, result.gpus[i]);
        }
    }
    RC_ASSERT(std::abs(result.objective - speed_ups) < 1e-9);
    for (std::size_t i = 0; i < result.gpus.size(); ++i) {
        const domain::ElasticJob& job = made.state.jobs[i];
        const std::uint32_t next = next_size(job, result.gpus[i]);
        const bool may_grow = next != 0 && (job.is_elastic || job.gpus == 0);
        if (may_grow && next - result.gpus[i] + taken <= made.state.gpus) {
            RC_ASSERT(result.gpus[i] > 0);  // what waits can always use its first step
            RC_ASSERT(epoch_time(job, next) >= epoch_time(job, result.gpus[i]));
        }
    }
}

TEST(ApatheticFutureShare, GivesAJobThatIsDoneItsFirstSize) {
    MadeState made;
    made.state.gpus = 4;
    made.add(0, 0, linear);
    made.add(0, 1, linear);
    EXPECT_EQ(ApatheticFutureShare().decide(made.state).gpus, (std::vector<std::uint32_t>{1, 3}));
}

}  // namespace
}  // namespace hora::elastic
