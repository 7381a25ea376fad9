// Does a simulation look at each job again when it may be resized, whenever its jobs come?
#include "libplanner/sim/simulation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/sim/simulate.hpp"
#include "tests/unit/sim/random_trace.hpp"
#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {
namespace {

constexpr Setup as_daemon{.nodes = 1,
                          .gpus_per_node = 8,
                          .rescale = Seconds(10),
                          .round = {},
                          .play = Play::daemon,
                          .knowledge = KnowledgeKind::oracle};

Result play(const domain::JobTrace& trace, const std::string& name, const Setup& setup) {
    const auto policy = elastic::make_policy(name);
    auto result = simulate(trace, name, **policy, setup);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? *result : Result{};
}

// Alone on eight GPUs, two of which it requests.
JobResult alone(Seconds submitted, const Setup& setup) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(submitted.count(), 2, 8),
            {10000, 5000, 3333, 2500, 2000, 1667, 1429, 1250});
    return play(trace, "hora", setup).jobs.at(0);
}

TEST(Simulation, AJobGrowsOnceItHasReportedAndItsCooldownIsOver) {
    struct Case {
        const char* name;
        double cooldown;
        bool charges_start;
        double grows;
    };
    const Case cases[] = {
        {"after its cooldown", 120, false, 120},
        {"which began with its start, and not with its training", 120, true, 120},
        {"no sooner than its first report", 10, true, 11},
        {"without a cooldown", 0, true, 11},
        {"where its start costs nothing", 0, false, 10},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        sim::Setup setup = as_daemon;
        setup.cooldown = Seconds(each.cooldown);
        setup.charges_start = each.charges_start;
        const JobResult row = alone(Seconds(0), setup);
        ASSERT_EQ(row.segments.size(), 2U);
        EXPECT_EQ(row.segments[1].gpus, 8U);
        EXPECT_EQ(row.segments[1].start, Seconds(each.grows));
    }
}

// Seconds and a cooldown of which the sum is no double.
RC_GTEST_PROP(Simulation, AJobGrowsWhenItsCooldownIsOverWheneverItComes, ()) {
    Setup setup = as_daemon;
    setup.cooldown = Seconds(*rc::gen::inRange(20'000, 300'000) / 1000.0);
    const Seconds submitted(*rc::gen::inRange(0, 2'000'000'000) +
                            *rc::gen::inRange(0, 1000) / 1000.0);
    const JobResult row = alone(submitted, setup);
    RC_ASSERT(row.segments.size() == 2U);
    RC_ASSERT(std::abs((row.segments[1].start - submitted - setup.cooldown).count()) < 1e-5);
}

RC_GTEST_PROP(Simulation, AJobGrowsWhenGpusHaveIdledForACooldownWheneverThatIs, ()) {
    Setup setup = as_daemon;
    setup.cooldown = Seconds(*rc::gen::inRange(20'000, 300'000) / 1000.0);
    const double submitted = *rc::gen::inRange(0, 10'000) / 7.0;
    domain::JobTrace trace;
    add_job(trace, elastic_job(submitted, 2, 8), {10000, 5000, 3333, 2500, 2000, 1667, 1429, 1250});
    add_job(trace, rigid_job(submitted, 6), std::vector<double>(6, 400));
    const Result result = play(trace, "hora", setup);
    const JobResult& row = result.jobs.at(0);
    RC_ASSERT(row.segments.size() == 2U);
    const Seconds idle = row.segments[1].start - result.jobs.at(1).ended;
    RC_ASSERT(std::abs((idle - setup.cooldown).count()) < 1e-5);
}

struct Batch {
    std::uint64_t batch;
    std::uint32_t least;
    double steps;
    std::vector<double> epochs;
};

// It requests one GPU.
JobResult of_batches(const std::vector<Batch>& batches, const Setup& setup) {
    domain::JobTrace trace;
    auto& range = trace.ranges.emplace_back();
    for (const Batch& each : batches) {
        range.push_back({each.batch, static_cast<std::uint32_t>(trace.speeds.size()), each.least});
        domain::TrueSpeed& speed = trace.speeds.emplace_back();
        speed.least = each.least;
        speed.steps = each.steps;
        for (const double seconds : each.epochs) {
            speed.epoch_seconds.emplace_back(seconds);
        }
    }
    trace.jobs.push_back(elastic_job(0, 1, setup.gpus()));
    trace.jobs[0].range = 0;
    return play(trace, "hora", setup).jobs.at(0);
}

TEST(Simulation, AJobOfAnyBatchTrainsWithOneThatWasMeasuredOnAsFewGpus) {
    const std::vector<Batch> far_apart{{32, 1, 8000, {8000, 5060, 3870, 3200}},
                                       {256, 1, 2000, {4000, 2366, 1742, 1400}}};
    const std::vector<Batch> large_on_many{{32, 1, 8000, {8000, 4678, 3418, 2736}},
                                           {256, 4, 1000, {500, 500, 500, 500}}};
    struct Case {
        const char* name;
        const std::vector<Batch>& batches;
        std::uint32_t gpus;
        KnowledgeKind knowledge;
        std::uint64_t last;
        std::uint32_t most_restarts;
    };
    const Case cases[] = {
        {"one between, which was not measured, is not tried", far_apart, 4, KnowledgeKind::learned,
         32, 1},
        {"the larger one where all is known", far_apart, 4, KnowledgeKind::oracle, 256, 1},
        {"a batch that was measured on four GPUs is none for one", large_on_many, 1,
         KnowledgeKind::learned, 32, 0},
        {"nor where all is known", large_on_many, 1, KnowledgeKind::oracle, 32, 0},
        {"but on four", large_on_many, 4, KnowledgeKind::oracle, 256, 1},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        sim::Setup setup = as_daemon;
        setup.gpus_per_node = each.gpus;
        setup.rescale = Seconds(30);
        setup.knowledge = each.knowledge;
        const JobResult row = of_batches(each.batches, setup);
        ASSERT_FALSE(row.segments.empty());
        EXPECT_EQ(row.segments.back().batch, each.last);
        EXPECT_LE(row.restarts, each.most_restarts);
    }
}

TEST(Simulation, AJobStartsOnItsRequestOrOnTheNearestOfItsSizes) {
    struct Case {
        const char* name;
        std::uint32_t requested;
        std::vector<std::uint32_t> sizes;
        std::uint32_t first;
    };
    const Case cases[] = {
        {"which nodes share evenly", 6, {}, 6},
        {"or not", 7, {}, 7},
        {"one of its sizes", 7, {4, 7, 8}, 7},
        {"none of its sizes: the next smaller one", 3, {2, 4, 8}, 2},
        {"that nodes can share evenly", 6, {4, 5, 8}, 4},
        {"or else the next larger one", 3, {4, 8}, 4},
        {"that they can", 3, {5, 8}, 8},
        {"or any that is smaller", 6, {5}, 5},
        {"or larger", 3, {5}, 5},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        domain::JobTrace trace;
        add_job(trace, elastic_job(0, each.requested, 8), {100, 60, 45, 36, 32, 30, 28, 26});
        trace.jobs[0].sizes = each.sizes;
        sim::Setup setup = as_daemon;
        setup.nodes = 2;
        setup.gpus_per_node = 4;
        const JobResult row = play(trace, "hora", setup).jobs.at(0);
        ASSERT_FALSE(row.segments.empty());
        EXPECT_EQ(row.segments.front().gpus, each.first);
        EXPECT_EQ(row.started, Seconds(0));
        const Result rigid = play(trace, "backfill", setup);
        EXPECT_EQ(rigid.jobs.at(0).segments.front().gpus, each.requested) << "rigid";
    }
}

// No two things of different jobs happen in one moment, where rounding would decide on their order.
domain::JobTrace without_ties(domain::JobTrace trace) {
    for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
        trace.jobs[i].submitted += Seconds(0.0123 * static_cast<double>(i));
        for (Seconds& epoch : trace.speeds[trace.jobs[i].speed].epoch_seconds) {
            epoch = epoch * (1 + 0.000217 * static_cast<double>(i + 1));
        }
    }
    return trace;
}

RC_GTEST_PROP(Simulation, OfJobsThatAllComeLaterItIsTheSameLater, ()) {
    Setup setup = some_setup();
    setup.play = *rc::gen::element(Play::daemon, Play::policy);
    setup.cooldown = Seconds(*rc::gen::inRange(0, 400) / 7.0);
    domain::JobTrace trace = without_ties(some_trace(false, setup.gpus()));
    for (domain::TraceJob& job : trace.jobs) {
        job.yields = *rc::gen::arbitrary<bool>();
        job.suspends = job.is_elastic && *rc::gen::arbitrary<bool>();
        if (*rc::gen::arbitrary<bool>()) {
            job.limit = Seconds(*rc::gen::inRange(20, 400) + 0.3);
        }
    }
    const elastic::PolicyInfo& info =
        elastic::policies()[*rc::gen::inRange<std::size_t>(0, elastic::policies().size())];
    const Result now = play(trace, std::string(info.name), setup);
    const Seconds by(*rc::gen::inRange(0, 1'000'000) / 7.0);
    for (domain::TraceJob& job : trace.jobs) {
        job.submitted += by;
    }
    const Result later = play(trace, std::string(info.name), setup);
    for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
        RC_LOG() << info.name << " job " << i << ": " << now.jobs[i].ended.count() << " and "
                 << (later.jobs[i].ended - by).count() << '\n';
        RC_ASSERT(now.jobs[i].segments.size() == later.jobs[i].segments.size());
        RC_ASSERT(std::abs((later.jobs[i].ended - by - now.jobs[i].ended).count()) < 1e-5);
    }
}

}  // namespace
}  // namespace hora::sim
