// Does each job do on its type of node as it does where there is no other?
#include "libplanner/sim/node_types.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/sim/simulate.hpp"
#include "libplanner/sim/workload/user_input.hpp"
#include "tests/unit/sim/random_trace.hpp"
#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {
namespace {

domain::TraceJob of_type(domain::TraceJob job, const char* type) {
    job.gpu_type = type;
    return job;
}

// Two nodes of four t4, one of two a100.
Setup two_types() {
    Setup setup;
    setup.types = {{"t4", 2, 4}, {"a100", 1, 2}};
    return setup;
}

struct Case {
    const char* name;
    const char* type;
    std::uint32_t requested;
    bool is_too_large;
};

TEST(NodeTypes, HoldTheJobsThatRequestThem) {
    const Case cases[] = {
        {"all GPUs of the type", "t4", 8, false},
        {"more than that", "t4", 9, true},
        {"as many as there are of another type", "a100", 8, true},
        {"all of a small type", "a100", 2, false},
        {"a type that the cluster has not", "v100", 1, true},
        {"no type", "", 1, true},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        domain::JobTrace trace;
        add_job(trace, of_type(rigid_job(0, each.requested), each.type), {1});
        EXPECT_EQ(too_large(trace, two_types()).size(), each.is_too_large ? 1U : 0U);
    }
    EXPECT_EQ(two_types().gpus(), 10U);
}

TEST(NodeTypes, AWholeNodeIsOneOfTheJobsType) {
    domain::JobTrace trace;
    add_job(trace, of_type(elastic_job(0, 1, 8), "t4"), {8, 7, 6, 5, 4, 3, 2, 1});
    add_job(trace, of_type(elastic_job(0, 1, 8), "a100"), {8, 7, 6, 5, 4, 3, 2, 1});
    ASSERT_TRUE(keep_to_sizes(trace, {domain::SizeRule::Kind::nodes, {}}, two_types()));
    EXPECT_EQ(trace.jobs[0].sizes, (std::vector<std::uint32_t>{4, 8}));
    EXPECT_EQ(trace.jobs[1].sizes, (std::vector<std::uint32_t>{2}));
}

// The a100 are idle while t4 are waited for, and the figures are of all jobs and GPUs.
TEST(NodeTypes, ShareNoGpus) {
    domain::JobTrace trace;
    for (const auto& [submitted, gpus, type] :
         {std::tuple(0, 8U, "t4"), {1, 2U, "t4"}, {2, 2U, "a100"}, {3, 1U, "a100"}}) {
        add_job(trace, of_type(rigid_job(submitted, gpus), type), std::vector<double>(gpus, 10));
        trace.speeds.back().gpu_type = type;
    }
    trace.jobs[3].limit = Seconds(5);
    const auto result = simulate(trace, "fcfs", **elastic::make_policy("fcfs"), two_types());
    ASSERT_TRUE(result) << result.error().message;
    std::vector<double> starts;
    for (const JobResult& job : result->jobs) {
        starts.push_back(job.started.count());
    }
    EXPECT_EQ(starts, (std::vector<double>{0, 10, 2, 12}));
    const Summary summary = summarise(*result);
    EXPECT_EQ(summary.makespan, Seconds(20)) << "the last t4 ends it";
    EXPECT_DOUBLE_EQ(summary.mean_completion.count(), (10 + 19 + 10 + 14) / 4.0);
    EXPECT_DOUBLE_EQ(summary.utilisation, (80 + 20 + 20 + 5) / (10.0 * 20));
    EXPECT_EQ(summary.limited, 1);
    EXPECT_EQ(summary.cut_off, 1);
    EXPECT_EQ(result->type_gpus, (std::vector<std::uint32_t>{8, 2}));
}

TEST(NodeTypes, TellOnWhichOneAPolicyFailed) {
    class Idle : public elastic::Policy {
      public:
        elastic::Allocation decide(const domain::ElasticState& state) const override {
            return {std::vector<std::uint32_t>(state.jobs.size(), 0), 0};
        }
    };
    domain::JobTrace trace;
    add_job(trace, of_type(rigid_job(0, 1), "a100"), {1});
    trace.speeds[0].gpu_type = "a100";
    const auto result = simulate(trace, "x", Idle(), two_types());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message,
              "GPUs of type a100: policy \"x\" lets 1 jobs wait for ever on an idle cluster");
}

domain::JobTrace random_part(const domain::NodeType& type) {
    domain::JobTrace part = some_trace(false, type.gpus());
    let_batches_change(part);
    // Speeds and ranges stay that no job uses.
    keep_elastic(part, 0.8, *rc::gen::inRange<std::uint64_t>(1, 100));
    if (*rc::gen::arbitrary<bool>()) {
        part.jobs.erase(part.jobs.begin());
    }
    for (domain::TraceJob& job : part.jobs) {
        job.gpu_type = type.name;
        job.suspends = job.is_elastic && *rc::gen::arbitrary<bool>();
        // Long enough for what is drawn of speeds to matter.
        job.epochs *= job.is_elastic ? 20 : 1;
        if (*rc::gen::arbitrary<bool>()) {
            job.limit = Seconds(*rc::gen::inRange(60, 3000));
        }
    }
    for (domain::TrueSpeed& speed : part.speeds) {
        speed.gpu_type = type.name;
    }
    return part;
}

struct Joined {
    domain::JobTrace trace;
    // Of each job: into the parts, and into the jobs of that one.
    std::vector<std::pair<std::size_t, std::uint32_t>> from;
};

// The parts' speeds and ranges take turns; each part's keep their order.
template <class T>
std::vector<std::vector<std::uint32_t>> take_turns(const std::vector<domain::JobTrace>& parts,
                                                   std::vector<T> domain::JobTrace::*what,
                                                   std::vector<T>& all) {
    std::vector<std::vector<std::uint32_t>> places(parts.size());
    std::size_t most = 0;
    for (const domain::JobTrace& part : parts) {
        most = std::max(most, (part.*what).size());
    }
    for (std::size_t i = 0; i < most; ++i) {
        for (std::size_t part = 0; part < parts.size(); ++part) {
            if (i < (parts[part].*what).size()) {
                places[part].push_back(static_cast<std::uint32_t>(all.size()));
                all.push_back((parts[part].*what)[i]);
            }
        }
    }
    return places;
}

Joined join(const std::vector<domain::JobTrace>& parts) {
    Joined joined;
    const auto speeds = take_turns(parts, &domain::JobTrace::speeds, joined.trace.speeds);
    const auto ranges = take_turns(parts, &domain::JobTrace::ranges, joined.trace.ranges);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (const std::uint32_t range : ranges[part]) {
            for (domain::BatchSpeed& known : joined.trace.ranges[range]) {
                known.speed = speeds[part][known.speed];
            }
        }
        for (std::uint32_t job = 0; job < parts[part].jobs.size(); ++job) {
            joined.from.emplace_back(part, job);
        }
    }
    std::stable_sort(joined.from.begin(), joined.from.end(), [&](const auto& a, const auto& b) {
        return parts[a.first].jobs[a.second].submitted < parts[b.first].jobs[b.second].submitted;
    });
    for (const auto& [part, place] : joined.from) {
        domain::TraceJob& job = joined.trace.jobs.emplace_back(parts[part].jobs[place]);
        job.speed = speeds[part][job.speed];
        if (job.range) {
            job.range = ranges[part][*job.range];
        }
    }
    return joined;
}

void check_same(const JobResult& one, const JobResult& other) {
    RC_ASSERT(one.submitted == other.submitted);
    RC_ASSERT(one.started == other.started);
    RC_ASSERT(one.ended == other.ended);
    RC_ASSERT(one.gpu_seconds == other.gpu_seconds);
    RC_ASSERT(one.restarts == other.restarts);
    RC_ASSERT(one.is_cut_off == other.is_cut_off);
    RC_ASSERT(one.segments.size() == other.segments.size());
    for (std::size_t i = 0; i < one.segments.size(); ++i) {
        RC_ASSERT(one.segments[i].start == other.segments[i].start);
        RC_ASSERT(one.segments[i].gpus == other.segments[i].gpus);
        RC_ASSERT(one.segments[i].nodes == other.segments[i].nodes);
        RC_ASSERT(one.segments[i].batch == other.segments[i].batch);
    }
}

RC_GTEST_PROP(NodeTypes, EachJobDoesAsOnItsTypeAlone, ()) {
    Setup setup = some_setup();
    setup.play = *rc::gen::element(Play::daemon, Play::policy);
    setup.round = Seconds(*rc::gen::element(0, 0, 25));
    setup.shares_fits = *rc::gen::arbitrary<bool>();
    setup.seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
    std::vector<Setup> alike;
    std::vector<domain::JobTrace> parts;
    const auto count = *rc::gen::inRange(1, 4);
    for (int i = 0; i < count; ++i) {
        Setup own = setup;
        own.nodes = *rc::gen::inRange<std::uint32_t>(1, 4);
        own.gpus_per_node = *rc::gen::inRange<std::uint32_t>(1, 5);
        setup.types.push_back({"type-" + std::to_string(i), own.nodes, own.gpus_per_node});
        parts.push_back(random_part(setup.types.back()));
        own.types.clear();
        alike.push_back(own);
    }
    std::vector<std::string> names;
    for (const elastic::PolicyInfo& info : elastic::policies()) {
        names.emplace_back(info.name);
    }
    const std::string name = *rc::gen::elementOf(names);
    const auto policy = elastic::make_policy(name);
    const Joined joined = join(parts);
    const auto together = simulate(joined.trace, name, **policy, setup);
    RC_ASSERT(together.has_value());
    RC_ASSERT(together->jobs.size() == joined.from.size());
    std::vector<Result> alone;
    std::uint64_t decisions = 0;
    std::size_t limited = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto result = simulate(parts[i], name, **policy, alike[i]);
        RC_ASSERT(result.has_value());
        decisions += result->decisions;
        limited += result->limited;
        alone.push_back(*std::move(result));
    }
    RC_ASSERT(together->decisions == decisions);
    RC_ASSERT(together->limited == limited);
    RC_ASSERT(together->gpus == setup.gpus());
    for (std::uint32_t i = 0; i < joined.from.size(); ++i) {
        const auto& [part, job] = joined.from[i];
        RC_ASSERT(together->jobs[i].job == i);
        RC_ASSERT(together->jobs[i].type == part);
        check_same(together->jobs[i], alone[part].jobs[job]);
    }
}

}  // namespace
}  // namespace hora::sim
