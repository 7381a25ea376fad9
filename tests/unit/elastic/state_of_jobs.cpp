// Is the right question put to the policy, and are its answers carried out at the right time?
#include "libplanner/elastic/state_of_jobs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "libplanner/elastic/judge.hpp"
#include "tests/unit/elastic/seen_jobs.hpp"

namespace hora::elastic {
namespace {

TEST(StateOfJobs, OnlyThoseThatMayBeResizedTakePart) {
    SeenJob silent = running(2, 3);
    silent.stays = "has reported no progress";
    const Pool pool = pool_of(2, {running(1, 2), silent});
    const Question question = question_of(pool);
    ASSERT_EQ(question.state.jobs.size(), 1U);
    EXPECT_EQ(question.state.jobs[0].id, 1U);
    EXPECT_EQ(question.state.gpus, 4U);
}

TEST(StateOfJobs, ABoastOfWorkWinsNothing) {
    SeenJob honest = running(1, 2);
    honest.time_left = Seconds(100);  // 200 steps of half a second on the two that it asked for
    SeenJob boaster = honest;
    boaster.steps = 100000000;
    const Pool pool = pool_of(0, {honest, boaster});
    const Question question = question_of(pool);
    EXPECT_NEAR(question.state.jobs[0].epochs_left, 200, 1e-6);
    EXPECT_EQ(question.state.jobs[0].epochs_left, question.state.jobs[1].epochs_left);
}

TEST(StateOfJobs, NobodyIsShrunkPastHisTimeLimit) {
    SeenJob late = running(1, 4);  // 10,000 steps in 2500 s on these, 10,000 s on one
    late.curve = measured({{4, 1, Seconds(0.25), 5000}, {2, 1, Seconds(0.5), 5000}});
    late.time_left = Seconds(6000);
    SeenJob free = running(2, 4);
    late.yields = free.yields = true;
    const Pool pool = pool_of(0, {late, free}, {{6, Seconds(5)}, {4, Seconds(5)}});
    const Question question = question_of(pool);
    EXPECT_EQ(question.state.jobs[0].min, 2U) << "with a tenth, and the restart";
    EXPECT_EQ(question.state.jobs[1].min, 1U);
    EXPECT_EQ(question.state.waiting, 4U) << "six cannot be had";
    const Verdict verdict = judge(pool, question, {.gpus = {2, 2}});
    ASSERT_EQ(verdict.now.size(), 2U);
    EXPECT_EQ(verdict.now[0].fallback, 2U);
    EXPECT_TRUE(verdict.now[0].instead.empty()) << "not even where no nodes give two";
    EXPECT_EQ(verdict.now[1].fallback, 1U);
    EXPECT_EQ(verdict.now[1].instead, (std::vector<std::uint32_t>{1}));
}

TEST(StateOfJobs, WorkThatIsDoneIsNotLeft) {
    SeenJob job = running(1, 2);
    job.steps_done = 9990;
    EXPECT_EQ(question_of(pool_of(0, {job})).state.jobs[0].epochs_left, 10);
    job.steps_done = 20000;  // more than was said
    EXPECT_EQ(question_of(pool_of(0, {job})).state.jobs[0].epochs_left, 2000)
        << "a tenth of what it has done";
}

TEST(StateOfJobs, ItsOwnEndIsThatOfItsRequestFromItsStartOn) {
    SeenJob job = running(1, 4);
    job.started = Seconds(900);
    job.steps_done = 400;  // of 10,000, each half a second on the two that it asked for
    const Pool pool = pool_of(0, {job, waiting(2, 4)});
    const auto own_end = question_of(pool).state.jobs[0].own_end;
    ASSERT_TRUE(own_end);
    EXPECT_NEAR(own_end->count(), 5900, 1e-6);
    EXPECT_FALSE(question_of(pool_of(0, {waiting(2, 4)})).state.jobs[0].own_end)
        << "none to say yet";
}

TEST(StateOfJobs, WhatItHoldsIsAllowedWhateverWasSaid) {
    SeenJob job = running(1, 6);
    job.max = 4;
    job.sizes = {1, 2, 4};
    const Question question = question_of(pool_of(0, {job}));
    EXPECT_EQ(question.state.jobs[0].max, 6U);
    const auto sizes = question.state.jobs[0].sizes;
    EXPECT_EQ(std::vector<std::uint32_t>(sizes.begin(), sizes.end()),
              (std::vector<std::uint32_t>{1, 2, 4, 6}));
}

TEST(StateOfJobs, StrangersCountWhereRoomCanBeMade) {
    struct Case {
        const char* name;
        std::uint32_t idle;
        std::vector<OtherJob> others;
        std::uint32_t can_be_had;
        std::uint32_t wanted;
    };
    const Case cases[] = {
        {"no job waits", 2, {}, 4, 0},
        {"room can be made", 0, {{2, Seconds(5)}}, 4, 2},
        {"it wants more than anybody can give", 0, {{8, Seconds(5)}}, 4, 0},
        {"the first that can be served, and those that fit beside it",
         0,
         {{3, Seconds(5)}, {2, Seconds(5)}, {1, Seconds(5)}},
         4,
         4},
        {"enough idle, and the scheduler has not come round", 4, {{2, Seconds(5)}}, 4, 2},
        {"enough have idled for long: it waits for something else", 4, {{2, Seconds(500)}}, 4, 0},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(waiting_gpus(pool_of(each.idle, {}, each.others), each.can_be_had), each.wanted);
    }
}

TEST(StateOfJobs, ItsOwnRequestIsNotRoomForOthers) {
    struct Case {
        const char* name;
        std::uint32_t holds;
        std::uint32_t requested;
        bool yields;
        std::uint32_t can_be_had;
    };
    const Case cases[] = {
        {"what it has beyond its request", 6, 4, false, 2},
        {"all of its request", 4, 4, false, 0},
        {"less than its request", 2, 4, false, 0},
        {"it yields", 6, 4, true, 5},
        {"it yields of less", 2, 4, true, 1},
        {"it has its least", 1, 4, true, 0},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        SeenJob job = running(1, each.holds);
        job.requested = each.requested;
        job.yields = each.yields;
        const Pool pool = pool_of(1, {job});
        EXPECT_EQ(can_be_had(pool, question_of(pool).state), 1 + each.can_be_had);
    }
}

// Twice a restart of 10 s, at half a second a step on two GPUs.
TEST(StateOfJobs, OneThatIsNearlyDoneGivesNothing) {
    struct Case {
        const char* name;
        double steps_left;
        std::uint32_t can_be_had;
    };
    for (const Case& each : {Case{"over within two restarts", 40, 0}, Case{"later", 41, 1}}) {
        SCOPED_TRACE(each.name);
        SeenJob job = running(1, 2);
        job.yields = true;
        job.steps_done = job.steps - each.steps_left;
        job.curve = measured({{1, 1, Seconds(1), 5000}, {2, 1, Seconds(0.5), 5000}});
        const Pool pool = pool_of(0, {job});
        const Question question = question_of(pool);
        EXPECT_EQ(can_be_had(pool, question.state), each.can_be_had);
        EXPECT_EQ(question.state.jobs[0].min, 2 - each.can_be_had);
    }
}

}  // namespace
}  // namespace hora::elastic
