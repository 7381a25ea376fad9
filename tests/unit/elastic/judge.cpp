// Are a policy's answers carried out where they are worth it, and at the right time?
#include "libplanner/elastic/judge.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "tests/unit/elastic/seen_jobs.hpp"

namespace hora::elastic {
namespace {

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

// Between its end and its next start Slurm gives what it held to a pending job.
TEST(Judge, RestartsNoJobThatWouldLoseItsGpusToAnother) {
    struct Case {
        const char* name;
        std::uint32_t waits_for;
        bool grows;
    };
    for (const Case& each : {Case{"what idles is enough for the other", 4, true},
                             {"it would take the one that the job holds", 5, false},
                             {"and both that it holds", 6, false},
                             {"the other waits for more than that", 7, true}}) {
        SCOPED_TRACE(each.name);
        SeenJob other = waiting(2, each.waits_for);
        other.stays = "has only just come";
        Pool pool = pool_of(4, {running(1, 2), other});
        EXPECT_EQ(judged(pool, {6}).now.size(), each.grows ? 1 : 0) << "an elastic one waits";
        pool.jobs.pop_back();
        pool.others.push_back({each.waits_for, Seconds(1000)});
        EXPECT_EQ(judged(pool, {6}).now.size(), each.grows ? 1 : 0);
        pool.reserves_nodes = true;
        EXPECT_EQ(judged(pool, {6}).now.size(), 1);
    }
}

// Only the scheduler knows on which nodes one will start that can.
TEST(Judge, RestartsNoJobBesideOneThatIsAboutToStart) {
    for (const auto& [waited, grows] : {std::pair{5, false}, {59, false}, {61, true}}) {
        SCOPED_TRACE(waited);
        SeenJob other = waiting(2, 2);
        other.stays = "has only just come";
        other.waited = Seconds(waited);
        Pool pool = pool_of(4, {running(1, 2), other});
        EXPECT_EQ(judged(pool, {3}).now.size(), grows ? 1 : 0) << "an elastic one";
        pool.jobs.pop_back();
        pool.others.push_back({2, Seconds(waited)});
        EXPECT_EQ(judged(pool, {3}).now.size(), grows ? 1 : 0);
    }
}

TEST(Judge, WhoWouldEndTooLateGrowsWhateverItSaves) {
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
        {"no elastic job gains", running(1, 4), {}, false, {}, 2},
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

TEST(Judge, LeavesASizeThatIsSlower) {
    struct Case {
        const char* name;
        Seconds on_four;
        double steps_done;
        std::optional<Seconds> time_left;
        bool leaves;
    };
    const Case cases[] = {
        {"measured to be half as fast as on two", Seconds(1), 0, {}, true},
        {"nearly as fast", Seconds(0.501), 9000, {}, false},
        {"it is nearly done", Seconds(1), 9990, {}, false},
        {"a restart might end it", Seconds(0.52), 0, Seconds(5500), false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        SeenJob job = running(1, 4);
        job.curve = measured({{2, 1, Seconds(0.5), 100'000}, {4, 1, each.on_four, 100'000}});
        job.steps_done = each.steps_done;
        job.time_left = each.time_left;
        const Verdict verdict = judged(pool_of(0, {job}), {2});
        ASSERT_EQ(verdict.now.size(), each.leaves ? 1U : 0U);
        if (each.leaves) {
            EXPECT_EQ(verdict.now[0].to, 2U);
            EXPECT_EQ(verdict.now[0].why, "faster on fewer GPUs");
        }
    }
}

Pool on_nodes(Pool pool, std::vector<std::uint32_t> free) {
    pool.free = std::move(free);
    return pool;
}

SeenJob on_nodes(SeenJob job, std::vector<domain::NodeGpus> nodes) {
    job.nodes = std::move(nodes);
    return job;
}

// As many GPUs on each of its nodes, of four.
TEST(Judge, GivesSizesThatNodesCanGive) {
    const SeenJob on_two = on_nodes(running(1, 6), {{0, 3}, {1, 3}});
    struct Case {
        const char* name;
        SeenJob job;
        std::vector<std::uint32_t> free;
        std::uint32_t answer;
        std::uint32_t to;  // 0: no change
    };
    const Case cases[] = {
        {"all that it is to have", on_nodes(running(1, 2), {{0, 2}}), {2, 0}, 4, 4},
        {"3, since 4 are nowhere", on_nodes(running(1, 2), {{0, 2}}), {1, 1}, 4, 3},
        {"none", on_nodes(running(1, 3), {{0, 3}}), {0, 1}, 4, 0},
        {"4 of 6, not 5", on_two, {0, 0}, 5, 4},
        {"3 where 4 are not allowed", on_nodes(running(1, 6), {{0, 3}, {1, 3}}), {0, 0}, 3, 3},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        std::vector<OtherJob> others;
        if (each.answer < each.job.gpus) {
            others.push_back({each.job.gpus - each.answer, Seconds(5)});
        }
        std::uint32_t idle = 0;
        for (const std::uint32_t free : each.free) {
            idle += free;
        }
        const Verdict verdict =
            judged(on_nodes(pool_of(idle, {each.job}, others), each.free), {each.answer});
        EXPECT_EQ(verdict.now.empty() ? 0 : verdict.now[0].to, each.to);
    }
}

TEST(Judge, AWaitingJobAsksForWhatNodesCanGive) {
    struct Case {
        const char* name;
        std::uint32_t requested;
        std::uint32_t asks;
        std::vector<std::uint32_t> free;
        std::uint32_t to;  // 0: no change
        std::string why;
        bool is_resized = true;
    };
    const Case cases[] = {
        {"Slurm starts it", 4, 4, {4}, 0, ""},
        {"5 are on no nodes", 5, 5, {4, 3}, 4, "started smaller to start now"},
        {"4 idle, 2 on each of 2 nodes", 4, 4, {2, 2}, 0, ""},
        {"4 idle of 6, on one node and two", 6, 6, {3, 1}, 3, "started smaller to start now"},
        {"it was to start smaller, and more are idle", 4, 1, {4}, 4, "more GPUs are idle"},
        {"all that nodes can give", 8, 1, {3, 2}, 4, "more GPUs are idle"},
        {"no more than its request", 2, 1, {4, 4}, 2, "more GPUs are idle"},
        {"its owner wants it so", 4, 1, {4}, 0, "", false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        SeenJob job = waiting(1, each.asks);
        job.requested = each.requested;
        job.asks_as_resized = each.is_resized;
        std::uint32_t idle = 0;
        for (const std::uint32_t free : each.free) {
            idle += free;
        }
        const Verdict verdict =
            judged(on_nodes(pool_of(idle, {job}), each.free), {std::min(each.asks, idle)});
        ASSERT_EQ(verdict.now.size(), each.to > 0 ? 1U : 0U);
        if (each.to > 0) {
            EXPECT_EQ(verdict.now[0].to, each.to);
            EXPECT_EQ(verdict.now[0].why, each.why);
        }
    }
}

TEST(Judge, OneWaitingJobAtATimeAsksForMore) {
    SeenJob first = waiting(1, 1);
    SeenJob second = waiting(2, 1);
    first.requested = second.requested = 4;
    first.asks_as_resized = second.asks_as_resized = true;
    const Verdict verdict = judged(on_nodes(pool_of(4, {first, second}), {4}), {1, 1});
    ASSERT_EQ(verdict.now.size(), 1U);
    EXPECT_EQ(verdict.now[0].id, 1U);
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
