// Is the right question put to the policy, and are its answers carried out at the right time?
#include "libplanner/elastic/state_of_jobs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "tests/unit/elastic/seen_jobs.hpp"

namespace hora::elastic {
namespace {

SeenJob waiting(std::uint64_t id, std::uint32_t asks) {
    SeenJob job = running(id, 0);
    job.asks = asks;
    job.started.reset();
    return job;
}

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

TEST(StateOfJobs, WhoWouldEndTooLateGrowsWhateverItSaves) {
    SeenJob late = running(1, 1);
    late.steps_done = 9900;  // 100 s left, 50 s on the two that it asked for
    late.curve = measured({{1, 1, Seconds(1), 5000}, {2, 1, Seconds(0.5), 5000}});
    late.time_left = Seconds(95);
    const Pool pool = pool_of(1, {late}, {{1, Seconds(5)}});
    const Question question = question_of(pool);
    const Verdict verdict = judge(pool, question, {.gpus = {2}});
    EXPECT_TRUE(verdict.now.empty());
    ASSERT_EQ(verdict.later.size(), 1U) << "the idle one is promised";
    EXPECT_EQ(verdict.later[0].why,
              "it would not end within its time limit on fewer, once GPUs are free");
    Pool slow = pool_of(1, {late});
    slow.rescale = Seconds(30);
    EXPECT_EQ(judge(slow, question_of(slow), {.gpus = {2}}).now.size(), 1U)
        << "it saves 50 s, not twice the restart";
    slow.jobs[0].time_left.reset();
    EXPECT_TRUE(judge(slow, question_of(slow), {.gpus = {2}}).now.empty());
}

TEST(StateOfJobs, WorkThatIsDoneIsNotLeft) {
    SeenJob job = running(1, 2);
    job.steps_done = 9990;
    EXPECT_EQ(question_of(pool_of(0, {job})).state.jobs[0].epochs_left, 10);
    job.steps_done = 20000;  // more than was said
    EXPECT_EQ(question_of(pool_of(0, {job})).state.jobs[0].epochs_left, 2000)
        << "a tenth of what it has done";
}

TEST(StateOfJobs, ASlotIsItsOwnRequestFromItsStartOn) {
    SeenJob job = running(1, 4);
    job.started = Seconds(900);
    job.steps_done = 400;  // of 10,000, each half a second on the two that it asked for
    const Pool pool = pool_of(0, {job, waiting(2, 4)});
    const auto slot = question_of(pool).state.jobs[0].slot;
    ASSERT_TRUE(slot);
    EXPECT_EQ(slot->start, Seconds(900));
    EXPECT_NEAR(slot->end.count(), 5900, 1e-6);
    EXPECT_EQ(slot->gpus, 2U);
    EXPECT_FALSE(question_of(pool_of(0, {waiting(2, 4)})).state.jobs[0].slot) << "none to say yet";
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
        {"nobody waits", 2, {}, 4, 0},
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

Verdict judged(const Pool& pool, std::vector<std::uint32_t> answer) {
    const Question question = question_of(pool);
    return judge(pool, question, {.gpus = std::move(answer), .objective = 0});
}

TEST(Judge, GrowsIntoWhatIsIdle) {
    const Verdict verdict = judged(pool_of(2, {running(1, 2)}), {4});
    EXPECT_EQ(verdict.now, (std::vector<Change>{{1, 2, 4, false, "idle GPUs", {3}}}));
}

TEST(Judge, SaysWhatElseWouldDo) {
    SeenJob job = running(1, 1);
    job.sizes = {1, 2, 4, 8};
    const Verdict verdict = judged(pool_of(7, {job}), {8});
    ASSERT_EQ(verdict.now.size(), 1U);
    EXPECT_EQ(verdict.now[0].instead, (std::vector<std::uint32_t>{4, 2}));
}

// As fast on one as on all.
SeenJob stagnant(std::uint64_t id, std::uint32_t gpus) {
    SeenJob job = running(id, gpus);
    std::vector<SpeedPoint> points;
    for (std::uint32_t size = 1; size <= job.max; ++size) {
        points.push_back({size, 1, Seconds(1), 100000});
    }
    job.curve = measured(points);
    return job;
}

TEST(Judge, ShrinksFirstAndGrowsWhenTheGpusAreThere) {
    const Verdict verdict = judged(pool_of(0, {stagnant(1, 6), running(2, 2)}), {2, 6});
    ASSERT_EQ(verdict.now.size(), 1U);
    EXPECT_EQ(verdict.now[0].id, 1U);
    ASSERT_EQ(verdict.later.size(), 1U);
    EXPECT_EQ(verdict.later[0].id, 2U);
    EXPECT_EQ(verdict.later[0].why, "idle GPUs, once GPUs are free");
}

TEST(Judge, MovesGpusWhereThatDoublesTheSpeedOfThoseConcerned) {
    struct Case {
        const char* name;
        SeenJob giver;
        SeenJob taker;
        std::vector<std::uint32_t> sizes;
        bool moves;
    };
    const Case cases[] = {
        {"one gains what the other loses", running(1, 4), running(2, 1), {1, 4}, false},
        {"the giver loses nothing", stagnant(1, 7), running(2, 1), {2, 6}, true},
        {"more than twice as fast", stagnant(1, 6), running(2, 1), {2, 5}, true},
        {"not twice as fast", stagnant(1, 6), running(2, 4), {2, 7}, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const Verdict verdict = judged(pool_of(0, {each.giver, each.taker}), each.sizes);
        EXPECT_EQ(!verdict.now.empty(), each.moves);
        EXPECT_EQ(verdict.later.size(), 1U);
    }
}

TEST(Judge, MovesGpusToOneThatItsTimeLimitWouldEnd) {
    SeenJob late = running(2, 1);
    late.requested = 4;
    late.time_left = Seconds(6000);  // 10,000 s are left on one, 5,000 on two
    const Verdict verdict = judged(pool_of(0, {running(1, 4), late}), {1, 4});
    ASSERT_EQ(verdict.now.size(), 1U);
    EXPECT_EQ(verdict.now[0].id, 1U);
}

TEST(Judge, GrowsIntoWhatHasBeenIdleForAWhile) {
    struct Case {
        const char* name;
        std::uint32_t settled;
        std::size_t now;
    };
    for (const Case& each : {Case{"all of it", 4, 1}, {"enough of it", 2, 1}, {"less", 1, 0}}) {
        SCOPED_TRACE(each.name);
        Pool pool = pool_of(4, {running(1, 2)});
        pool.settled = each.settled;
        const Verdict verdict = judged(pool, {4});
        EXPECT_EQ(verdict.now.size(), each.now);
        EXPECT_EQ(verdict.later.size(), 1 - each.now);
        for (const Change& later : verdict.later) {
            EXPECT_EQ(later.why, "idle GPUs, once they have been idle for elastic.cooldown");
        }
    }
}

TEST(Judge, OneThatIsLateWaitsForNothing) {
    SeenJob late = running(1, 1);
    late.requested = 4;
    late.time_left = Seconds(6000);
    Pool pool = pool_of(3, {late});
    pool.settled = 0;
    EXPECT_EQ(judged(pool, {4}).now.size(), 1U);
}

TEST(Judge, NobodyShrinksForNobody) {
    EXPECT_TRUE(judged(pool_of(2, {running(1, 4)}), {2}).now.empty());
}

TEST(Judge, MakesRoomForOneThatWaits) {
    const Verdict verdict = judged(pool_of(0, {running(1, 4)}, {{1, Seconds(5)}}), {3});
    ASSERT_EQ(verdict.now.size(), 1U);
    EXPECT_EQ(verdict.now[0].to, 3U);
    EXPECT_EQ(verdict.now[0].why, "shrunk for a pending job");
}

TEST(Judge, OfItsOwnRequestAJobGivesOnlyWhatElasticJobsGain) {
    struct Case {
        const char* name;
        SeenJob job;
        std::vector<std::uint32_t> sizes;
        bool yields;
        std::vector<std::uint32_t> pending;  // elastic, and what each is given
        std::uint32_t to;
    };
    const Case cases[] = {
        {"nobody elastic gains", running(1, 4), {}, false, {}, 2},
        {"it yields", running(1, 4), {}, true, {}, 1},
        {"one starts on one GPU", running(1, 4), {}, false, {1}, 1},
        {"it has less than its request", running(1, 2), {}, false, {}, 2},
        {"and one starts", running(1, 2), {}, false, {1}, 1},
        {"to the next size that it may have", running(1, 8), {1, 4, 8}, false, {}, 4},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        SeenJob job = each.job;
        job.sizes = each.sizes;
        job.yields = each.yields;
        Pool pool = pool_of(0, {job}, {{1, Seconds(5)}});
        std::vector<std::uint32_t> answer{1};
        for (const std::uint32_t gpus : each.pending) {
            pool.jobs.push_back(waiting(pool.jobs.size() + 1, 4));
            answer.push_back(gpus);
        }
        const Verdict verdict = judged(pool, answer);
        const auto shrunk = std::find_if(verdict.now.begin(), verdict.now.end(),
                                         [](const Change& change) { return !change.waits; });
        EXPECT_EQ(shrunk == verdict.now.end() ? job.gpus : shrunk->to, each.to);
    }
}

TEST(Judge, KeepsWhatIsPromisedToThoseThatWait) {
    EXPECT_TRUE(judged(pool_of(2, {running(1, 2)}, {{2, Seconds(5)}}), {4}).now.empty());
}

TEST(Judge, NoRestartForWhatItDoesNotSave) {
    SeenJob job = running(1, 2);
    job.steps_done = 9980;  // 10 s left: 5 s saved, and a restart costs 10 s
    EXPECT_TRUE(judged(pool_of(2, {job}), {4}).now.empty());
}

TEST(Judge, WhatRestartsOfTheJobCostGoesBeforeWhatTheyCostAny) {
    SeenJob job = running(1, 2);
    job.steps_done = 9880;  // 60 s left: 30 s saved
    EXPECT_FALSE(judged(pool_of(2, {job}), {4}).now.empty());
    job.rescale = Seconds(20);
    EXPECT_TRUE(judged(pool_of(2, {job}), {4}).now.empty());
    job.steps_done = 9980;
    job.rescale = Seconds(2);
    EXPECT_FALSE(judged(pool_of(2, {job}), {4}).now.empty());
    const Question question = question_of(pool_of(2, {job, running(2, 2)}));
    EXPECT_EQ(question.state.rescale_of(question.state.jobs[0]), Seconds(2));
    EXPECT_EQ(question.state.rescale_of(question.state.jobs[1]), Seconds(10));
}

TEST(Judge, AWaitingJobTakesLessWhereItCannotHaveAll) {
    const Verdict verdict = judged(pool_of(1, {waiting(1, 4)}), {1});
    EXPECT_EQ(verdict.now, (std::vector<Change>{{1, 4, 1, true, "started smaller to start now"}}));
    EXPECT_TRUE(judged(pool_of(4, {waiting(1, 4)}), {1}).now.empty()) << "Slurm starts it";
}

// Whatever a policy answers within the rules, what is done at once takes no more than idles.
RC_GTEST_PROP(Judge, NeverGrowsBeyondWhatIdles, ()) {
    Pool pool = pool_of(*rc::gen::inRange(0U, 9U), {});
    std::vector<std::uint32_t> answer;
    const auto count = *rc::gen::inRange(1U, 6U);
    for (std::uint32_t i = 0; i < count; ++i) {
        pool.jobs.push_back(running(i + 1, *rc::gen::inRange(1U, 9U)));
        answer.push_back(*rc::gen::inRange(1U, 9U));
    }
    const Verdict verdict = judged(pool, answer);
    std::uint32_t more = 0;
    for (const Change& change : verdict.now) {
        more += change.to > change.from ? change.to - change.from : 0;
        RC_ASSERT(change.to != change.from);
    }
    RC_ASSERT(more <= pool.idle);
}

}  // namespace
}  // namespace hora::elastic
