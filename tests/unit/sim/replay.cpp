// Are past jobs played as they were, and only as elastic as is assumed?
#include "libplanner/sim/replay.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/sim/simulate.hpp"

namespace hora::sim {
namespace {

domain::AccountedJob job(double submitted, double started, double elapsed, std::uint32_t gpus) {
    domain::AccountedJob made;
    made.submitted = Seconds(submitted);
    made.started = Seconds(started);
    made.elapsed = Seconds(elapsed);
    made.gpus = gpus;
    return made;
}

TEST(Replay, InfersTheClusterFromItsBusiestMoment) {
    std::vector<domain::AccountedJob> jobs{job(0, 0, 10, 4), job(0, 5, 10, 8), job(0, 10, 5, 3)};
    jobs[1].nodes = 2;
    const ClusterSize size = smallest_cluster(jobs);
    EXPECT_EQ(size.gpus_per_node, 4);
    // 4 + 8 at second 5; at 10 the first has gone when the third comes.
    EXPECT_EQ(size.nodes, 3);
    EXPECT_EQ(most_in_use(jobs), 12);
}

TEST(Replay, TakesTheAssumedSpeedUpOnEitherSide) {
    const std::vector<domain::AccountedJob> jobs{job(100, 100, 60, 4)};
    const domain::JobTrace trace =
        as_trace(jobs, {.elastic_share = 1, .doubling = 1.5, .range = 2, .seed = 1}, 64);
    EXPECT_EQ(trace.jobs[0].submitted, Seconds(0));
    EXPECT_EQ(trace.jobs[0].min, 2);
    EXPECT_EQ(trace.jobs[0].max, 8);
    const auto& epochs = trace.speeds[0].epoch_seconds;
    EXPECT_NEAR(epochs[3].count(), 60, 1e-9);
    EXPECT_NEAR(epochs[7].count(), 40, 1e-9);
    EXPECT_NEAR(epochs[1].count(), 90, 1e-9);
}

TEST(Replay, GivesAJobItsTimeLimitAndAtLeastWhatItHad) {
    std::vector<domain::AccountedJob> jobs{job(0, 0, 60, 4), job(0, 0, 60, 4), job(0, 0, 60, 4)};
    jobs[1].limit = Seconds(90);
    jobs[2].limit = Seconds(55);  // Slurm looks every half a minute
    const domain::JobTrace trace = as_trace(jobs, {.elastic_share = 0}, 64);
    EXPECT_FALSE(trace.jobs[0].limit);
    EXPECT_EQ(trace.jobs[1].limit, Seconds(90));
    EXPECT_EQ(trace.jobs[2].limit, Seconds(60));
}

TEST(Replay, GrowsNoJobBeyondTheCluster) {
    const std::vector<domain::AccountedJob> jobs{job(0, 0, 60, 4)};
    EXPECT_EQ(as_trace(jobs, {.elastic_share = 1}, 6).jobs[0].max, 6);
    EXPECT_EQ(as_trace(jobs, {.elastic_share = 1}, 2).jobs[0].max, 4);
}

TEST(Replay, AddsElasticJobsAsTheShareGrowsAndNeverPartsOfOthers) {
    std::vector<domain::AccountedJob> jobs(2000, job(0, 0, 60, 2));
    for (std::size_t i = 0; i < jobs.size(); i += 2) {
        jobs[i].is_part = true;
    }
    const auto elastic = [&jobs](double share) {
        std::vector<bool> all;
        for (const domain::TraceJob& each : as_trace(jobs, {.elastic_share = share}, 8).jobs) {
            all.push_back(each.is_elastic);
        }
        return all;
    };
    const std::vector<bool> some = elastic(0.3);
    const std::vector<bool> more = elastic(0.6);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        EXPECT_TRUE(more[i] || !some[i]);
        EXPECT_FALSE(jobs[i].is_part && more[i]);
    }
    EXPECT_NEAR(static_cast<double>(std::count(some.begin(), some.end(), true)), 300, 50);
    const std::vector<bool> none = elastic(0);
    EXPECT_EQ(std::count(none.begin(), none.end(), true), 0);
}

// hora replay plays such a policy once, whatever the shares.
RC_GTEST_PROP(Replay, ComesToTheSameForPoliciesThatPayNoHeedToWhoIsElastic, ()) {
    std::vector<domain::AccountedJob> jobs;
    double submitted = 0;
    for (int i = *rc::gen::inRange(1, 12); i > 0; --i) {
        submitted += *rc::gen::inRange(0, 100);
        jobs.push_back(job(submitted, submitted, *rc::gen::inRange(1, 200),
                           static_cast<std::uint32_t>(*rc::gen::inRange(1, 9))));
    }
    Setup setup;
    setup.nodes = 2;
    setup.gpus_per_node = 4;
    // With learned speeds, sjf-backfill would take elastic jobs in another order: by its guess.
    setup.knowledge = KnowledgeKind::oracle;
    for (const elastic::PolicyInfo& policy : elastic::policies()) {
        if (!policy.is_rigid) {
            continue;
        }
        const auto completion = [&](double share) {
            const auto decides = elastic::make_policy(policy.name);
            const auto result = simulate(as_trace(jobs, {.elastic_share = share}, setup.gpus()),
                                         std::string(policy.name), **decides, setup);
            RC_ASSERT(result.has_value());
            return summarise(*result).mean_completion;
        };
        RC_LOG(std::string(policy.name));
        RC_ASSERT(completion(0) == completion(1));
    }
}

TEST(Replay, TellsWhatHappened) {
    const std::vector<domain::AccountedJob> jobs{job(100, 110, 50, 4), job(120, 160, 10, 2)};
    const Summary summary = summarise(as_it_was(jobs, 4));
    EXPECT_EQ(summary.mean_completion, Seconds(55));
    EXPECT_EQ(summary.makespan, Seconds(70));
    EXPECT_EQ(summary.restarts_per_job, 0);
}

}  // namespace
}  // namespace hora::sim
