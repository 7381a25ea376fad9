// Which running job is suspended, for whom, and when is none?
#include "libplanner/elastic/suspension.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "libplanner/elastic/decide.hpp"
#include "libplanner/elastic/worth/sizes.hpp"
#include "tests/unit/elastic/seen_jobs.hpp"

namespace hora::elastic {
namespace {

// On one GPU since 2000 s, with 10,000 s to go.
SeenJob long_job(std::uint64_t id) {
    SeenJob job = running(id, 1);
    job.requested = 1;
    job.max = 1;
    job.resized = Seconds(-1000);
    job.may_be_suspended = true;
    return job;
}

// It takes 100 s, and has waited for 1000 s.
SeenJob short_job(std::uint64_t id) {
    SeenJob job = waiting(id, 1);
    job.requested = 1;
    job.max = 1;
    job.steps = 100;
    job.submitted = Seconds(0);
    return job;
}

std::optional<Change> suspended(const Pool& pool) {
    const Question question = question_of(pool);
    const Allocation answer = (**make_policy("hora")).decide(question.state);
    return suspension(pool, question, answer, judge(pool, question, answer));
}

TEST(Suspension, LetsAJobWaitForAMuchShorterOne) {
    const Pool pool = pool_of(0, {long_job(7), short_job(8)});
    const auto change = suspended(pool);
    ASSERT_TRUE(change);
    EXPECT_EQ(
        *change,
        (Change{.id = 7, .from = 1, .to = 0, .why = "for job 8, which is shorter", .fallback = 1}));
    EXPECT_EQ(decide(pool, **make_policy("hora")).now, std::vector<Change>{*change});
}

TEST(Suspension, OnlyWhereThatIsWantedAndHelps) {
    struct Case {
        const char* name;
        void (*change)(Pool&);
        bool suspends;
    };
    const Case cases[] = {
        {"as above", [](Pool&) {}, true},
        {"its owner does not allow it", [](Pool& pool) { pool.jobs[0].may_be_suspended = false; },
         false},
        {"it stays as it is", [](Pool& pool) { pool.jobs[0].stays = "was resized"; }, false},
        {"it has run for half an hour", [](Pool& pool) { pool.jobs[0].resized = Seconds(-800); },
         true},
        {"and for a little less", [](Pool& pool) { pool.jobs[0].resized = Seconds(-799); }, false},
        // A restart takes 10 s.
        {"eight times the shorter one is left", [](Pool& pool) { pool.jobs[0].steps = 880; }, true},
        {"and a little less", [](Pool& pool) { pool.jobs[0].steps = 879; }, false},
        {"the shorter one has waited for its length",
         [](Pool& pool) { pool.jobs[1].submitted = Seconds(889); }, true},
        {"and a little less", [](Pool& pool) { pool.jobs[1].submitted = Seconds(891); }, false},
        {"a GPU is idle", [](Pool& pool) { pool.idle = 1; }, false},
        {"it wants two GPUs", [](Pool& pool) { pool.jobs[1].min = pool.jobs[1].max = 2; }, false},
        {"and another one is idle",
         [](Pool& pool) {
             pool.jobs[1].min = pool.jobs[1].max = 2;
             pool.idle = 1;
         },
         true},
        {"but on another node",
         [](Pool& pool) {
             pool.jobs[1].min = pool.jobs[1].max = 2;
             pool.idle = 1;
             pool.gpus_per_node = 2;
             pool.free = {0, 1};
             pool.jobs[0].nodes = {{0, 1}};
             // Two GPUs of two nodes would do.
             pool.jobs[1].sizes = {2};
         },
         true},
        {"what waits was suspended itself", [](Pool& pool) { pool.jobs[1].started = Seconds(10); },
         false},
        {"one is being suspended already", [](Pool& pool) { pool.is_suspending = true; }, false},
        {"another job would take its GPU",
         [](Pool& pool) {
             pool.others.push_back({1, Seconds(1)});
         },
         false},
        {"another job waits for more",
         [](Pool& pool) {
             pool.others.push_back({2, Seconds(1)});
         },
         true},
        {"a restart might end it",
         [](Pool& pool) {
             pool.jobs[0].curve = measured({{1, 1, Seconds(1), 100'000}});
             pool.jobs[0].time_left = Seconds(11'005);
         },
         false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Pool pool = pool_of(0, {long_job(1), short_job(2)});
        each.change(pool);
        EXPECT_EQ(suspended(pool).has_value(), each.suspends);
    }
}

TEST(Suspension, TakesTheFewestGpusThenTheLongestJob) {
    SeenJob two = long_job(1);
    two.gpus = two.max = two.requested = two.min = 2;
    SeenJob longer = long_job(3);
    longer.steps = 20'000;
    const auto change = suspended(pool_of(0, {two, long_job(2), longer, short_job(4)}));
    ASSERT_TRUE(change);
    EXPECT_EQ(change->id, 3U);
}

TEST(Suspension, IsForTheJobThatHasWaitedTheLongestForItsLength) {
    SeenJob later = short_job(2);
    later.submitted = Seconds(500);
    EXPECT_EQ(suspended(pool_of(0, {long_job(1), later, short_job(3)}))->why,
              "for job 3, which is shorter");
}

// Whatever is seen: who is suspended allows it, has run for long enough and has much more to do
// than one that waits, and what it gives up is enough for that.
RC_GTEST_PROP(Suspension, KeepsToItsRules, ()) {
    std::vector<SeenJob> jobs;
    for (int left = *rc::gen::inRange(1, 8); left > 0; --left) {
        SeenJob job = *rc::gen::arbitrary<bool>() ? long_job(jobs.size()) : short_job(jobs.size());
        job.may_be_suspended = *rc::gen::arbitrary<bool>();
        job.steps = *rc::gen::inRange(1, 20'000);
        job.resized = Seconds(*rc::gen::inRange(-3000, 1000));
        job.submitted = Seconds(*rc::gen::inRange(-5000, 1000));
        job.min = *rc::gen::inRange<std::uint32_t>(1, 4);
        job.max = job.requested = job.min + *rc::gen::inRange<std::uint32_t>(0, 3);
        job.gpus = job.gpus == 0 ? 0 : job.min;
        job.asks = job.gpus == 0 ? job.min : 0;
        jobs.push_back(job);
    }
    Pool pool = pool_of(*rc::gen::inRange<std::uint32_t>(0, 3), jobs);
    if (*rc::gen::arbitrary<bool>()) {
        pool.others.push_back({*rc::gen::inRange<std::uint32_t>(1, 8), Seconds(100)});
    }
    const auto change = suspended(pool);
    if (!change) {
        return;
    }
    const SeenJob& gives = pool.jobs[change->id];
    RC_ASSERT(gives.may_be_suspended);
    RC_ASSERT(gives.gpus == change->from);
    RC_ASSERT(gives.gpus > 0U);
    RC_ASSERT(pool.now - gives.resized >= Seconds(1800));
    const Question question = question_of(pool);
    const auto left = [&](const SeenJob& job) {
        return remaining_time(question.state.jobs[job.id], std::max(job.gpus, job.min));
    };
    RC_ASSERT(std::any_of(pool.jobs.begin(), pool.jobs.end(), [&](const SeenJob& job) {
        return job.gpus == 0 && job.min <= gives.gpus + pool.idle && left(gives) >= 8 * left(job) &&
               pool.now - job.submitted >= left(job);
    }));
    for (const OtherJob& other : pool.others) {
        RC_ASSERT(other.gpus > gives.gpus + pool.idle);
    }
}

}  // namespace
}  // namespace hora::elastic
