// Do jobs end when they should, on GPUs that they really had?
#include "libplanner/sim/simulate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/elastic/suspension.hpp"
#include "libplanner/sim/workload/true_speed.hpp"
#include "tests/unit/sim/naive.hpp"
#include "tests/unit/sim/random_trace.hpp"
#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {
namespace {

// Sizes that look like chance and hang on the moment and the jobs alone; they stay long enough for
// a job to get on between two rescales.
class Erratic : public elastic::Policy {
  public:
    elastic::Allocation decide(const domain::ElasticState& state) const override {
        elastic::Allocation result;
        std::uint32_t left = state.gpus;
        for (const domain::ElasticJob& job : state.jobs) {
            left -= job.gpus > 0 ? std::min(job.gpus, job.is_elastic ? job.min : job.gpus) : 0;
        }
        for (const domain::ElasticJob& job : state.jobs) {
            const std::uint32_t own =
                job.gpus == 0 ? 0 : (job.is_elastic ? std::min(job.min, job.gpus) : job.gpus);
            const auto salt = static_cast<std::uint32_t>(state.now.count() / 64) * 7 +
                              static_cast<std::uint32_t>(job.id) * 13;
            std::uint32_t gpus = own;
            if (!job.is_elastic) {
                gpus = own > 0 ? own : (job.requested <= left ? job.requested : 0);
            } else if (left + own >= job.min) {
                const std::uint32_t most = std::min(job.max, left + own);
                gpus = job.min + salt % (most - job.min + 1);
            }
            left -= gpus - own;
            result.gpus.push_back(gpus);
        }
        return result;
    }
};

// Says the same whatever it is asked.
class Fixed : public elastic::Policy {
  public:
    explicit Fixed(std::vector<std::uint32_t> gpus) : gpus_(std::move(gpus)) {}
    elastic::Allocation decide(const domain::ElasticState&) const override { return {gpus_, 0}; }

  private:
    std::vector<std::uint32_t> gpus_;
};

TEST(Simulate, KeepsElasticJobsToTheirSizes) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 3, 8), {8, 4});
    add_job(trace, elastic_job(0, 1, 8), {8, 4});
    add_job(trace, rigid_job(0, 3), {8, 4});
    const sim::Setup setup{.nodes = 2, .gpus_per_node = 4, .rescale = {}, .round = {}};
    domain::JobTrace whole = trace;
    ASSERT_TRUE(keep_to_sizes(whole, {domain::SizeRule::Kind::nodes, {}}, setup));
    EXPECT_EQ(whole.jobs[0].sizes, (std::vector<std::uint32_t>{4, 8}));
    EXPECT_EQ(whole.jobs[0].requested, 3U) << "its limit counts for that, and rigid it gets it";
    domain::JobTrace powers = trace;
    ASSERT_TRUE(keep_to_sizes(powers, {domain::SizeRule::Kind::powers, {}}, setup));
    EXPECT_EQ(powers.jobs[0].sizes, (std::vector<std::uint32_t>{1, 2, 4, 8}));
    EXPECT_EQ(powers.jobs[2].requested, 3U) << "rigid jobs stay as they are";
    EXPECT_TRUE(powers.jobs[2].sizes.empty());
    const auto none = keep_to_sizes(trace, {domain::SizeRule::Kind::listed, {9}}, setup);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "\"job-1\" takes 1 to 8 GPUs, and 9 allows none of them");
}

TEST(Simulate, NoPolicyGivesASizeThatIsNotAllowedOrRequested) {
    for (const elastic::PolicyInfo& info : elastic::policies()) {
        domain::JobTrace trace;
        for (int job = 0; job < 6; ++job) {
            add_job(trace, elastic_job(60.0 * job, 1 + job % 3, 8),
                    {800, 420, 300, 240, 200, 180, 165, 155});
        }
        const sim::Setup setup{.nodes = 3, .gpus_per_node = 4, .rescale = Seconds(5), .round = {}};
        ASSERT_TRUE(keep_to_sizes(trace, {domain::SizeRule::Kind::powers, {}}, setup));
        const auto policy = elastic::make_policy(info.name);
        const auto result = simulate(trace, std::string(info.name), **policy, setup);
        ASSERT_TRUE(result) << result.error().message;
        for (const JobResult& job : result->jobs) {
            for (const Segment& segment : job.segments) {
                const bool is_allowed = info.is_rigid
                                            ? segment.gpus == trace.jobs[job.job].requested
                                            : std::has_single_bit(segment.gpus);
                EXPECT_TRUE(is_allowed) << info.name << segment.gpus;
            }
        }
    }
}

// Each job trained exactly its work, within the GPUs there are.
void check_result(const domain::JobTrace& trace, const Setup& setup, const Result& result) {
    std::map<double, std::int64_t> changes;
    for (const JobResult& row : result.jobs) {
        const domain::TraceJob& job = trace.jobs[row.job];
        RC_ASSERT(!row.segments.empty());
        RC_ASSERT(row.segments.front().start == row.started);
        const auto suspended = std::count_if(row.segments.begin(), row.segments.end(),
                                             [](const Segment& one) { return one.gpus == 0; });
        RC_ASSERT(row.segments.size() - static_cast<std::size_t>(suspended) ==
                  row.restarts + std::size_t{1});
        RC_ASSERT(row.segments.back().gpus > 0);
        RC_ASSERT(row.started >= job.submitted);
        double done = 0;
        double held = 0;
        for (std::size_t i = 0; i < row.segments.size(); ++i) {
            const Segment& segment = row.segments[i];
            if (segment.gpus == 0) {
                continue;
            }
            const Seconds end = i + 1 < row.segments.size() ? row.segments[i + 1].start : row.ended;
            const bool is_paid = i > 0 || setup.charges_start;
            const double trained =
                (end - segment.start).count() - (is_paid ? setup.rescale.count() : 0);
            done += std::max(0.0, trained) /
                    speed_with(trace, job, segment.batch).epoch_seconds[segment.gpus - 1].count();
            held += segment.gpus * (end - segment.start).count();
            changes[segment.start.count()] += segment.gpus;
            changes[end.count()] -= segment.gpus;
        }
        RC_ASSERT(std::abs(done - job.epochs) < 1e-6 * job.epochs);
        RC_ASSERT(std::abs(held - row.gpu_seconds) < 1e-6 * (1 + held));
    }
    std::int64_t used = 0;
    for (const auto& [time, change] : changes) {
        used += change;
        RC_ASSERT(used <= setup.gpus());
    }
}

// A size stands for a while.
RC_GTEST_PROP(Simulate, AsTheDaemonNoneIsResizedTooOften, ()) {
    Setup setup = some_setup();
    setup.play = Play::daemon;
    setup.cooldown = Seconds(*rc::gen::inRange(0, 60));
    domain::JobTrace trace = some_trace(false, setup.gpus());
    let_batches_change(trace);
    for (domain::TraceJob& job : trace.jobs) {
        job.suspends = job.is_elastic && *rc::gen::arbitrary<bool>();
    }
    setup.constants.least_run = Seconds(*rc::gen::inRange(0, 100));
    setup.constants.least_shorter = *rc::gen::inRange(1, 9);
    const auto name = std::string(*rc::gen::element("hora", "knapsack", "afs", "marginal-gain"));
    const auto result = simulate(trace, name, **elastic::make_policy(name), setup);
    RC_ASSERT(result.has_value());
    check_result(trace, setup, *result);
    for (const JobResult& row : result->jobs) {
        const domain::TraceJob& job = trace.jobs[row.job];
        for (std::size_t i = 0; i < row.segments.size(); ++i) {
            if (row.segments[i].gpus > 0) {
                RC_ASSERT(row.segments[i].gpus >= job.min);
                RC_ASSERT(row.segments[i].gpus <= std::max(job.max, job.requested));
                continue;
            }
            // It was suspended.
            RC_ASSERT(job.suspends);
            RC_ASSERT(i > 0U);
            RC_ASSERT(row.segments[i].start - row.segments[i - 1].start >=
                      setup.constants.least_run - Seconds(1e-9));
            RC_ASSERT(row.segments[i + 1].start - row.segments[i].start >=
                      elastic::suspended_for - Seconds(1e-9));
        }
        // RC_ASSERT evaluates both sides of an "or".
        for (std::size_t i = 1; i < row.segments.size(); ++i) {
            RC_ASSERT(row.segments[i].start - row.segments[i - 1].start >=
                      setup.cooldown - Seconds(1e-9));
        }
    }
}

RC_GTEST_PROP(Simulate, OfRigidJobsTheDaemonHasSlurmsBackfill, ()) {
    Setup setup = some_setup();
    setup.charges_start = false;
    domain::JobTrace trace = some_trace(true, setup.gpus());
    for (domain::TraceJob& job : trace.jobs) {
        if (*rc::gen::arbitrary<bool>()) {
            job.limit = Seconds(*rc::gen::inRange(90, 300));
        }
    }
    const auto rigid = simulate(trace, "backfill", **elastic::make_policy("backfill"), setup);
    setup.play = Play::daemon;
    const auto result = simulate(trace, "hora", **elastic::make_policy("hora"), setup);
    RC_ASSERT(rigid.has_value());
    RC_ASSERT(result.has_value());
    for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
        RC_ASSERT(result->jobs[i].started == rigid->jobs[i].started);
        RC_ASSERT(result->jobs[i].ended == rigid->jobs[i].ended);
    }
}

TEST(Simulate, RefusesRoundsThatItWouldNeverGetThrough) {
    sim::Setup setup;
    const domain::JobTrace trace;
    for (const double round : {1e-300, 1e-9, 0.9e-3, -1.0}) {
        setup.round = Seconds(round);
        EXPECT_FALSE(simulate(trace, "erratic", Erratic(), setup)) << round;
    }
    for (const double round : {0.0, 1e-3, 60.0}) {
        setup.round = Seconds(round);
        EXPECT_TRUE(simulate(trace, "erratic", Erratic(), setup)) << round;
    }
}

void expect_naive_ends(const domain::JobTrace& trace, const Setup& setup) {
    const auto result = simulate(trace, "erratic", Erratic(), setup);
    RC_ASSERT(result.has_value());
    check_result(trace, setup, *result);
    const std::vector<double> wanted = naive_ends(trace, Erratic(), setup);
    for (const JobResult& row : result->jobs) {
        RC_ASSERT(std::abs(row.ended.count() - wanted[row.job]) < 1e-6);
    }
}

RC_GTEST_PROP(Simulate, EqualsTheNaiveOneInRounds, ()) {
    Setup setup = some_setup();
    setup.round = Seconds(*rc::gen::inRange(1, 60));
    const domain::JobTrace trace = some_trace(false, setup.gpus());
    expect_naive_ends(trace, setup);
}

RC_GTEST_PROP(Simulate, EqualsTheNaiveOneAtEachEventOfRigidJobs, ()) {
    Setup setup = some_setup();
    const domain::JobTrace trace = some_trace(true, setup.gpus());
    expect_naive_ends(trace, setup);
}

RC_GTEST_PROP(Simulate, PlaysEveryPolicyToTheEndWithinTheGpus, ()) {
    Setup setup = some_setup();
    setup.round = Seconds(*rc::gen::element(0, 0, 25));
    domain::JobTrace trace = some_trace(false, setup.gpus());
    let_batches_change(trace);
    for (const elastic::PolicyInfo& info : elastic::policies()) {
        const auto policy = elastic::make_policy(info.name);
        const auto result = simulate(trace, std::string(info.name), **policy, setup);
        RC_LOG() << info.name << (result ? "" : result.error().message);
        RC_ASSERT(result.has_value());
        check_result(trace, setup, *result);
    }
}

TEST(Simulate, IsTheSameForTheSameSeed) {
    domain::JobTrace trace;
    for (int i = 0; i < 12; ++i) {
        add_job(trace, elastic_job(10.0 * i, 1, 4), {900, 500, 400, 350});
    }
    sim::Setup setup;
    setup.nodes = 2;
    setup.gpus_per_node = 4;
    setup.rescale = Seconds(5);
    const auto policy = elastic::make_policy(elastic::policies().front().name);
    const auto ends = [&](std::uint64_t seed) {
        setup.seed = seed;
        std::vector<Seconds> all;
        const auto result = simulate(trace, "default", **policy, setup);
        for (const JobResult& row : result->jobs) {
            all.push_back(row.ended);
        }
        return all;
    };
    EXPECT_EQ(ends(1), ends(1));
}

struct Broken {
    const char* name;
    std::vector<std::uint32_t> gpus;
    const char* wanted;
};

TEST(Simulate, RefusesAPolicyThatBreaksItsPromises) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 1, 3), {10, 6, 5});
    add_job(trace, rigid_job(0, 2), {10, 10});
    sim::Setup setup;
    setup.gpus_per_node = 4;
    const Broken cases[] = {
        {"too few answers", {1}, "policy \"x\" answers for 1 jobs of 2"},
        {"more GPUs than there are", {3, 2}, "policy \"x\" gives away 5 GPUs of 4"},
        {"more than a job takes",
         {4, 0},
         "policy \"x\" gives 4 GPUs to job \"job-1\", which holds 0 and takes 1 to 3"},
        {"another size to a rigid job",
         {1, 1},
         "policy \"x\" gives 1 GPUs to job \"job-2\", which holds 0 and takes 2 to 2"},
        {"no job starts", {0, 0}, "policy \"x\" lets 2 jobs wait for ever on an idle cluster"},
    };
    for (const Broken& each : cases) {
        SCOPED_TRACE(each.name);
        const auto result = simulate(trace, "x", Fixed(each.gpus), setup);
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error().message, each.wanted);
    }
}

// Between 1 and 2 GPUs and back at each round.
class Restless : public elastic::Policy {
  public:
    elastic::Allocation decide(const domain::ElasticState& state) const override {
        return {{state.jobs.front().gpus == 1 ? 2U : 1U}, 0};
    }
};

TEST(Simulate, GivesUpOnAPolicyThatLetsNoJobGetOn) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 1, 2), {10, 6});
    sim::Setup setup;
    setup.gpus_per_node = 2;
    setup.rescale = Seconds(30);
    setup.round = Seconds(20);
    setup.charges_start = true;
    const auto result = simulate(trace, "x", Restless(), setup);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().message, "policy \"x\" has restarted a job 100000 times");
}

TEST(Simulate, TellsWhichJobsAreTooLarge) {
    domain::JobTrace trace;
    add_job(trace, rigid_job(0, 2), {10, 10});
    add_job(trace, rigid_job(0, 5), {10, 10, 10, 10, 10});
    sim::Setup setup;
    setup.gpus_per_node = 4;
    EXPECT_EQ(too_large(trace, setup), std::vector<std::uint32_t>{1});
    setup.gpus_per_node = 5;
    EXPECT_TRUE(too_large(trace, setup).empty());
}

}  // namespace
}  // namespace hora::sim
