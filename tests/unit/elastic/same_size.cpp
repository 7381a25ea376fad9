// Which running job is restarted on fewer nodes, or with another batch?
#include "libplanner/elastic/same_size.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "libplanner/elastic/decide.hpp"
#include "tests/unit/elastic/seen_jobs.hpp"

namespace hora::elastic {
namespace {

// 10,000 steps on two GPUs of two nodes, of a second each, and of half a second on one node; a
// restart takes 10 s.
SeenJob spread(std::uint64_t id) {
    SeenJob job = running(id, 2);
    job.curve = measured({{2, 1, Seconds(0.5), 100'000}, {2, 2, Seconds(1), 100'000}});
    job.nodes = {{0, 1}, {1, 1}};
    return job;
}

Pool pool_with(std::vector<std::uint32_t> free, std::vector<SeenJob> jobs) {
    std::uint32_t idle = 0;
    for (const std::uint32_t gpus : free) {
        idle += gpus;
    }
    Pool pool = pool_of(idle, std::move(jobs));
    pool.free = std::move(free);
    return pool;
}

std::optional<Change> packed(const Pool& pool, const Verdict& verdict = {}) {
    return same_size(pool, question_of(pool), verdict);
}

TEST(SameSize, RestartsAJobOnFewerNodes) {
    const auto change = packed(pool_with({1, 0}, {spread(7)}));
    ASSERT_TRUE(change);
    EXPECT_EQ(*change, (Change{.id = 7,
                               .from = 2,
                               .to = 2,
                               .why = "on 1 node in place of 2",
                               .fallback = 2,
                               .nodes = 1}));
}

void be_on_two_nodes(Pool& pool, double seconds) {
    pool.jobs[0].curve =
        measured({{2, 1, Seconds(0.5), 100'000}, {2, 2, Seconds(seconds), 100'000}});
}

TEST(SameSize, OnlyWhereThatIsPossibleAndSavesEnough) {
    struct Case {
        const char* name;
        void (*change)(Pool&);
        bool packs;
    };
    const Case cases[] = {
        {"as above", [](Pool&) {}, true},
        {"no node has two for it",
         [](Pool& pool) {
             pool.free = {0, 0, 1};
         },
         false},
        {"a third node has",
         [](Pool& pool) {
             pool.free = {0, 0, 2};
         },
         true},
        {"it is not known which nodes idle", [](Pool& pool) { pool.free.clear(); }, false},
        {"it was refused a moment ago", [](Pool& pool) { pool.jobs[0].keeps_nodes = true; }, false},
        {"it stays as it is", [](Pool& pool) { pool.jobs[0].stays = "was resized"; }, false},
        {"20 s are saved, twice a restart", [](Pool& pool) { pool.jobs[0].steps_done = 9960; },
         false},
        {"a little more", [](Pool& pool) { pool.jobs[0].steps_done = 9959; }, true},
        {"what its own restarts take counts",
         [](Pool& pool) {
             pool.jobs[0].steps_done = 9959;
             pool.jobs[0].rescale = Seconds(11);
         },
         false},
        {"where it runs nothing was measured",
         [](Pool& pool) {
             pool.jobs[0].curve = measured({{2, 1, Seconds(0.5), 1000}});
         },
         false},
        {"hardly slower on two nodes", [](Pool& pool) { be_on_two_nodes(pool, 0.52); }, false},
        {"slower by more than measurements differ", [](Pool& pool) { be_on_two_nodes(pool, 0.53); },
         true},
        {"a restart might end it", [](Pool& pool) { pool.jobs[0].time_left = Seconds(5500); },
         false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Pool pool = pool_with({1, 0}, {spread(1)});
        each.change(pool);
        EXPECT_EQ(packed(pool).has_value(), each.packs);
    }
}

TEST(SameSize, TakesTheOneThatSavesTheMost) {
    SeenJob nearly_done = spread(1);
    nearly_done.steps_done = 9000;
    EXPECT_EQ(packed(pool_with({1, 1}, {nearly_done, spread(2), spread(3)}))->id, 2U);
}

TEST(SameSize, LeavesJobsAloneThatAreResized) {
    const Pool pool = pool_with({1, 0}, {spread(1)});
    const std::vector<Change> its{{.id = 1, .from = 2, .to = 4, .why = "idle GPUs"}};
    const std::vector<Change> of_another{{.id = 2, .from = 2, .to = 4, .why = "idle GPUs"}};
    EXPECT_FALSE(packed(pool, {.now = its, .later = {}}));
    EXPECT_FALSE(packed(pool, {.now = {}, .later = its}));
    EXPECT_TRUE(packed(pool, {.now = of_another, .later = {}}));
}

// On two GPUs of a node with a batch of 64, which takes 2 s a step; of 512 it takes `large`.
SeenJob with_range(double large) {
    SeenJob job = running(1, 2);
    const std::vector<Seconds> compute(8, Seconds(1));
    job.curve = std::make_shared<const SpeedCurve>(
        fit_speed({.compute = compute, .gpus_per_node = 4, .batches = BatchRange{64, 512, 5000}},
                  std::vector<SpeedPoint>{{2, 1, Seconds(2), 100'000, 64},
                                          {2, 1, Seconds(large), 100'000, 512}}));
    job.nodes = {{0, 2}};
    job.batch = 64;
    return job;
}

TEST(SameSize, RestartsAJobWithAFasterBatch) {
    // Eight times the samples, worth 7.4 steps, for twice the time.
    const Pool pool = pool_with({0}, {with_range(4)});
    const auto change = packed(pool);
    ASSERT_TRUE(change);
    EXPECT_EQ(*change, (Change{.id = 1,
                               .from = 2,
                               .to = 2,
                               .why = "with a batch of 512 in place of 64",
                               .fallback = 2,
                               .nodes = 1}));
}

TEST(SameSize, LeavesABatchThatIsTheFastest) {
    EXPECT_FALSE(packed(pool_with({0}, {with_range(15.5)}))) << "slower: 7.4 steps in 7.75 times";
    SeenJob large = with_range(4);
    large.batch = 512;
    EXPECT_FALSE(packed(pool_with({0}, {large})));
    SeenJob unmeasured = with_range(4);
    unmeasured.batch = 128;
    EXPECT_FALSE(packed(pool_with({0}, {unmeasured}))) << "its steps are not known yet";
    SeenJob refused = with_range(4);
    refused.keeps_nodes = true;
    EXPECT_FALSE(packed(pool_with({0}, {refused})));
}

TEST(SameSize, IsPartOfADecision) {
    SeenJob job = spread(1);
    job.max = 2;
    const Decision decision = decide(pool_with({1, 0}, {job}), **make_policy("hora"));
    ASSERT_EQ(decision.now.size(), 1U);
    EXPECT_EQ(decision.now[0].nodes, 1U);
    EXPECT_TRUE(decision.unchanged.empty());
}

}  // namespace
}  // namespace hora::elastic
