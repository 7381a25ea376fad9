// Is a time limit named where it is what keeps a job its GPUs, and nowhere else?
#include "libplanner/elastic/held_back.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/unit/elastic/seen_jobs.hpp"

namespace hora::elastic {
namespace {

const std::string too_few = "on fewer it would not end within its time limit";
const std::string too_short = "it may not end within its time limit as it is";
const std::string not_said =
    "it does not say how long it runs, and fewer than requested may be too few for its time "
    "limit";
const std::string no_restart =
    "the time of a restart might keep it from ending within its time limit";

// How fast it is at each size is surely known, and it gives up GPUs of its own request too.
SeenJob known(std::uint64_t id, std::uint32_t gpus) {
    SeenJob job = running(id, gpus);
    job.yields = true;
    std::vector<SpeedPoint> points;
    for (std::uint32_t size = 1; size <= job.max; ++size) {
        points.push_back({size, 1, Seconds(1.0 / size), 100000});
    }
    job.curve = measured(points);
    return job;
}

SeenJob running(std::uint64_t id, std::uint32_t gpus, double time_left) {
    SeenJob job = known(id, gpus);
    job.time_left = Seconds(time_left);
    return job;
}

struct Judged {
    Verdict verdict;
    std::vector<HeldBack> held;
};

Judged judged(const Pool& pool) {
    const auto policy = *make_policy("hora");
    const Question question = question_of(pool);
    const Allocation answer = policy->decide(question.state);
    Verdict verdict = judge(pool, question, answer);
    std::vector<HeldBack> held = held_back(pool, question, *policy, answer, verdict);
    return {std::move(verdict), std::move(held)};
}

TEST(HeldBack, NamesWhomOnlyHisLimitKeepsAtHisSize) {
    SeenJob silent = running(1, 4, 9000);
    silent.steps = 0;
    SeenJob patient = running(1, 4, 1e6);
    struct Case {
        const char* name;
        std::uint32_t idle;
        SeenJob job;
        std::vector<OtherJob> others;
        std::vector<HeldBack> held;
    };
    const Case cases[] = {
        {"one waits for what the job needs",
         0,
         running(1, 4, 3000),
         {{2, Seconds(5)}},
         {{1, 4, 2, too_few}}},
        {"no job waits", 0, running(1, 4, 3000), {}, {}},
        {"it has all the time in the world", 0, patient, {{2, Seconds(5)}}, {}},
        {"it has no limit", 0, known(1, 4), {{2, Seconds(5)}}, {}},
        {"it gives what it can, which is enough", 0, running(1, 4, 6000), {{2, Seconds(5)}}, {}},
        {"how long it runs is not known", 0, silent, {{3, Seconds(5)}}, {{1, 4, 1, not_said}}},
        {"it ends in time on nothing",
         0,
         running(1, 2, 100),
         {{1, Seconds(5)}},
         {{1, 2, 1, too_short}}},
        {"it ends in time as it is, if it does not restart", 4, running(1, 4, 2501), {}, {}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(judged(pool_of(each.idle, {each.job}, each.others)).held, each.held);
    }
}

TEST(HeldBack, NamesWhomTheTimeOfARestartKeepsFromGrowing) {
    SeenJob job = running(1, 7, 26000);
    job.steps = 100000;  // 25,000 s on the seven that are measured; of eight it is not known
    job.max = 8;
    job.curve = measured({{7, 2, Seconds(0.25), 100000}});
    Judged made = judged(pool_of(1, {job}, {}));
    EXPECT_TRUE(made.verdict.now.empty());
    EXPECT_EQ(made.held, (std::vector<HeldBack>{{1, 7, 8, no_restart}}));
    job.time_left = Seconds(1e6);
    made = judged(pool_of(1, {job}, {}));
    EXPECT_EQ(made.verdict.now.size(), 1U);
    EXPECT_TRUE(made.held.empty());
}

TEST(HeldBack, AnotherGivesWhatOneCannot) {
    const Judged made = judged(pool_of(0, {running(1, 4, 3000), known(2, 4)}, {{2, Seconds(5)}}));
    ASSERT_EQ(made.verdict.now.size(), 1U);
    EXPECT_EQ(made.verdict.now[0].id, 2U);
    for (const HeldBack& held : made.held) {
        EXPECT_EQ(held.id, 1U) << "the other has no limit";
    }
}

SeenJob some_job(std::uint64_t id) {
    SeenJob job = known(id, *rc::gen::inRange(1U, 9U));
    if (*rc::gen::arbitrary<bool>()) {
        job.time_left = Seconds(*rc::gen::inRange(1, 12000));
    }
    job.steps_done = *rc::gen::inRange(0, 9999);
    return job;
}

RC_GTEST_PROP(HeldBack, NamesOnlyWhoHasALimitAndWhatItChanges, ()) {
    Pool pool = pool_of(*rc::gen::inRange(0U, 5U), {}, {});
    const std::uint64_t jobs = *rc::gen::inRange<std::uint64_t>(1, 6);
    for (std::uint64_t id = 1; id <= jobs; ++id) {
        pool.jobs.push_back(some_job(id));
    }
    pool.others.assign(*rc::gen::inRange<std::size_t>(0, 3),
                       {*rc::gen::inRange(1U, 4U), Seconds(5)});
    for (const HeldBack& held : judged(pool).held) {
        const SeenJob& job = pool.jobs[held.id - 1];
        RC_ASSERT(job.time_left.has_value());
        RC_ASSERT(held.gpus <= job.gpus);
        RC_ASSERT(held.otherwise != held.gpus);
        RC_ASSERT((held.otherwise > held.gpus) == (held.why == no_restart));
    }
    for (SeenJob& job : pool.jobs) {
        job.time_left.reset();
    }
    RC_ASSERT(judged(pool).held.empty());
}

}  // namespace
}  // namespace hora::elastic
