// Do time limits end jobs in a simulation when Slurm would, and does a policy know of them?
#include "libplanner/sim/time_limit.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/sim/simulate.hpp"
#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {
namespace {

Result play(const domain::JobTrace& trace, const std::string& name, const Setup& setup) {
    const auto policy = elastic::make_policy(name);
    auto result = simulate(trace, name, **policy, setup);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? *result : Result{};
}

struct LimitCase {
    const char* name;
    std::optional<double> limit;
    bool charges_start;
    double ended;
    bool is_cut_off;
};

TEST(TimeLimit, EndsAJobThatIsTooLongForIt) {
    const LimitCase cases[] = {
        {"without one it runs to its end", std::nullopt, false, 110, false},
        {"long enough", 200, false, 110, false},
        {"just enough", 100, false, 110, false},
        {"too short", 99, false, 109, true},
        {"a start that costs time counts", 100, true, 110, true},
        {"shorter than the start", 5, true, 15, true},
    };
    for (const LimitCase& each : cases) {
        SCOPED_TRACE(each.name);
        domain::JobTrace trace;
        add_job(trace, rigid_job(10, 2), {100, 100});
        if (each.limit) {
            trace.jobs[0].limit = Seconds(*each.limit);
        }
        const sim::Setup setup{.nodes = 1,
                               .gpus_per_node = 4,
                               .rescale = Seconds(20),
                               .round = {},
                               .charges_start = each.charges_start};
        const Result result = play(trace, "fcfs", setup);
        EXPECT_EQ(result.jobs[0].ended, Seconds(each.ended));
        EXPECT_EQ(result.jobs[0].is_cut_off, each.is_cut_off);
        const Summary summary = summarise(result);
        EXPECT_EQ(summary.limited, each.limit ? 1 : 0);
        EXPECT_EQ(summary.cut_off, each.is_cut_off ? 1 : 0);
        EXPECT_EQ(result.jobs[0].gpu_seconds, 2 * (each.ended - 10));
    }
}

// Goes from 1 GPU to 2 at the first round, and keeps what was left of each job's limit.
class Growing : public elastic::Policy {
  public:
    elastic::Allocation decide(const domain::ElasticState& state) const override {
        const domain::ElasticJob& job = state.jobs.front();
        seen.push_back(*job.deadline);
        epochs_left.push_back(job.epochs_left);
        return {{state.now < Seconds(100) ? 1U : 2U}, 0};
    }
    mutable std::vector<domain::Deadline> seen;
    mutable std::vector<double> epochs_left;
};

Expected<Result> play_growing(const domain::JobTrace& trace, const Growing& policy) {
    return simulate(trace, "growing", policy,
                    {.nodes = 1,
                     .gpus_per_node = 2,
                     .rescale = Seconds(30),
                     .round = Seconds(100),
                     .knowledge = KnowledgeKind::oracle});
}

TEST(TimeLimit, LeavesARestartedJobWhatWasLeft) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 1, 2), {100, 60});
    trace.jobs[0].epochs = 10;
    trace.jobs[0].limit = Seconds(760);
    const Growing policy;
    const auto result = play_growing(trace, policy);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_GE(policy.seen.size(), 3U);
    EXPECT_EQ(policy.seen[0].left, Seconds(760)) << "it has not started";
    EXPECT_EQ(policy.seen[0].epochs, 10);
    EXPECT_EQ(policy.epochs_left[0], 7.6) << "a boast wins nothing";
    EXPECT_EQ(policy.seen[1].left, Seconds(660));
    EXPECT_EQ(policy.seen[1].epochs, 9);
    EXPECT_EQ(policy.seen[2].left, Seconds(560));
    // 9 epochs of 60 s and a restart: at 670, within 760.
    EXPECT_EQ(result->jobs[0].restarts, 1U);
    EXPECT_EQ(result->jobs[0].ended, Seconds(670));
    EXPECT_FALSE(result->jobs[0].is_cut_off);
}

TEST(TimeLimit, MeansSoMuchOfItsRequestOrSoMuchTime) {
    using domain::LimitKind;
    struct Case {
        const char* name;
        LimitKind kind;
        bool is_elastic;
        std::uint32_t gpus;  // since 300 s; 0: it waits, and asks for one
        double left;
        double own;
    };
    // It has used 100 of 1000 s, requests 4 GPUs and trains from 320 s on. It is 400 s now.
    const Case cases[] = {
        {"on its request", LimitKind::gpu_time, true, 4, 800, 800},
        {"on more", LimitKind::gpu_time, true, 8, 800, 800},
        {"on a quarter", LimitKind::gpu_time, true, 1, 4 * 875, 875},
        {"waiting for a quarter", LimitKind::gpu_time, true, 0, 4 * 900, 900},
        {"by the clock", LimitKind::clock, true, 1, 800, -1},
        {"by the clock, waiting", LimitKind::clock, true, 0, 900, -1},
        {"rigid", LimitKind::gpu_time, false, 4, 800, 800},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        domain::TraceJob described = elastic_job(0, 4, 8);
        described.is_elastic = each.is_elastic;
        described.epochs = 10;
        described.limit = Seconds(1000);
        ActiveJob active;
        active.left = 5;
        active.limit_used = Seconds(100);
        active.trains_from = Seconds(320);
        active.epoch = Seconds(40);
        active.asks = 1;
        domain::ElasticJob job = as_submitted(0, described, 8);
        job.gpus = each.gpus;
        job.resized = Seconds(300);
        const auto deadline = deadline_of(described, active, job, each.kind, Seconds(400));
        EXPECT_EQ(deadline.left, Seconds(each.left));
        EXPECT_EQ(deadline.epochs, each.gpus > 0 ? 3 : 5);
        EXPECT_EQ(deadline.gpu_time ? deadline.gpu_time->left : Seconds(-1), Seconds(each.own));
    }
}

// On one of the two GPUs of its request for 100 s, then on both, which have 450 s left.
TEST(TimeLimit, LeavesARestartedJobWhatWasLeftInGpuTime) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 2, 2), {100, 60});
    trace.jobs[0].min = 1;
    trace.jobs[0].epochs = 7;
    trace.jobs[0].limit = Seconds(500);
    const Growing policy;
    const auto result = play_growing(trace, policy);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_GE(policy.seen.size(), 3U);
    EXPECT_EQ(policy.seen[1].left, Seconds(900));
    EXPECT_EQ(policy.seen[2].left, Seconds(350));
    EXPECT_EQ(result->jobs[0].ended, Seconds(100 + 30 + 6 * 60));
    EXPECT_FALSE(result->jobs[0].is_cut_off);
}

TEST(TimeLimit, KeepsAJobFromARestartThatWouldLoseIt) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 1, 2), {100, 95});
    trace.jobs[0].limit = Seconds(101);
    const sim::Setup setup{.nodes = 1,
                           .gpus_per_node = 2,
                           .rescale = Seconds(30),
                           .round = Seconds(10),
                           .knowledge = KnowledgeKind::oracle};
    class Eager : public elastic::Policy {
        elastic::Allocation decide(const domain::ElasticState& state) const override {
            return {{state.now < Seconds(10) ? 1U : 2U}, 0};
        }
    };
    const auto result = simulate(trace, "eager", Eager(), setup);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->jobs[0].restarts, 0U);
    EXPECT_FALSE(result->jobs[0].is_cut_off);
    EXPECT_EQ(result->jobs[0].ended, Seconds(100));
}

Setup some_setup() {
    Setup setup;
    setup.nodes = *rc::gen::inRange<std::uint32_t>(1, 4);
    setup.gpus_per_node = *rc::gen::inRange<std::uint32_t>(1, 5);
    setup.rescale = Seconds(*rc::gen::inRange(0, 20));
    setup.charges_start = *rc::gen::arbitrary<bool>();
    setup.round = Seconds(*rc::gen::element(0, 0, 25));
    setup.limits = *rc::gen::element(domain::LimitKind::gpu_time, domain::LimitKind::clock);
    setup.knowledge = KnowledgeKind::oracle;
    return setup;
}

// What of its limit a job has used by an end of its last segment.
Seconds used_limit(const JobResult& row, const domain::TraceJob& job, Seconds end,
                   domain::LimitKind kind) {
    Seconds used;
    for (std::size_t i = 0; i < row.segments.size(); ++i) {
        const Segment& one = row.segments[i];
        const Seconds until = i + 1 < row.segments.size() ? row.segments[i + 1].start : end;
        const bool is_less =
            kind == domain::LimitKind::gpu_time && job.is_elastic && one.gpus < job.requested;
        used += (until - one.start) * (is_less ? double(one.gpus) / job.requested : 1.0);
    }
    return used;
}

Seconds own_length(const domain::JobTrace& trace, const domain::TraceJob& job, const Setup& setup) {
    return trace.speeds[job.speed].epoch_seconds[job.requested - 1] * job.epochs +
           (setup.charges_start ? setup.rescale : Seconds(0));
}

// Some jobs end within their limits by their own requests, some do not, some have none.
domain::JobTrace some_limited_trace(const Setup& setup) {
    domain::JobTrace trace;
    int submitted = 0;
    for (int i = *rc::gen::inRange(1, 10); i > 0; --i) {
        submitted += *rc::gen::inRange(0, 60);
        const auto requested = *rc::gen::inRange<std::uint32_t>(1, setup.gpus() + 1);
        const bool is_elastic = *rc::gen::inRange(0, 4) > 0;
        domain::TraceJob job = is_elastic ? elastic_job(submitted, requested, setup.gpus())
                                          : rigid_job(submitted, requested);
        job.min = is_elastic ? *rc::gen::inRange<std::uint32_t>(1, requested + 1) : requested;
        job.epochs = *rc::gen::inRange(1, 6);
        const auto time = *rc::gen::inRange(5, 120);
        const auto slow_down = *rc::gen::element(0.0, 0.01, 0.05);  // at many GPUs
        std::vector<double> epochs;
        for (std::uint32_t g = 1; g <= setup.gpus(); ++g) {
            epochs.push_back(time * (0.1 + 0.9 / g + slow_down * (g - 1)));
        }
        add_job(trace, job, epochs);
        if (*rc::gen::inRange(0, 4) > 0) {
            const double part = *rc::gen::element(0.5, 0.9, 1.0, 1.0, 1.05, 1.2, 1.6, 3.0);
            trace.jobs.back().limit = own_length(trace, trace.jobs.back(), setup) * part;
        }
    }
    return trace;
}

RC_GTEST_PROP(TimeLimit, LosesNoJobThatItsOwnRequestWouldEndInTime, ()) {
    const Setup setup = some_setup();
    const domain::JobTrace trace = some_limited_trace(setup);
    for (const JobResult& row : play(trace, "hora", setup).jobs) {
        const domain::TraceJob& job = trace.jobs[row.job];
        const bool is_in_time =
            !job.limit || own_length(trace, job, setup) <= *job.limit + Seconds(1e-9);
        RC_LOG() << job.name << " of " << job.limit.value_or(Seconds(0)).count() << " s ends after "
                 << (row.ended - row.started).count() << '\n';
        RC_ASSERT(!is_in_time || !row.is_cut_off);
    }
}

RC_GTEST_PROP(TimeLimit, NobodyRunsPastHisUnderAnyPolicy, ()) {
    Setup setup = some_setup();
    setup.knowledge = *rc::gen::element(KnowledgeKind::oracle, KnowledgeKind::learned);
    const domain::JobTrace trace = some_limited_trace(setup);
    for (const elastic::PolicyInfo& info : elastic::policies()) {
        for (const JobResult& row : play(trace, std::string(info.name), setup).jobs) {
            const domain::TraceJob& job = trace.jobs[row.job];
            RC_LOG() << info.name << '\n';
            if (job.limit) {
                const Seconds used = used_limit(row, job, row.ended, setup.limits);
                RC_ASSERT(used <= *job.limit + Seconds(1e-5));
                RC_ASSERT((!row.is_cut_off || used >= *job.limit - Seconds(1e-5)));
            } else {
                RC_ASSERT(!row.is_cut_off);
            }
        }
    }
}

}  // namespace
}  // namespace hora::sim
