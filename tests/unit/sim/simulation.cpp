// Does a simulation look at each job again when it may be resized, whenever its jobs come?
#include "libplanner/sim/simulation.hpp"

#include <gtest/gtest.h>

#include <string>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/sim/simulate.hpp"
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

}  // namespace
}  // namespace hora::sim
