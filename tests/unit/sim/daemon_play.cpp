// Does a simulation play horad's part as horad does: Slurm starts, the daemon judges and waits?
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "libplanner/sim/simulate.hpp"
#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {
namespace {

constexpr Setup two_nodes{.nodes = 2,
                          .gpus_per_node = 4,
                          .rescale = Seconds(10),
                          .round = {},
                          .play = Play::daemon,
                          .knowledge = KnowledgeKind::oracle};

// "0 s: 4, 120 s: 8"
std::string sizes_of(const JobResult& row) {
    std::string text;
    for (const Segment& segment : row.segments) {
        text += (text.empty() ? "" : ", ") +
                std::to_string(static_cast<int>(segment.start.count())) +
                " s: " + std::to_string(segment.gpus);
    }
    return text;
}

std::vector<double> ideal(double one) {
    std::vector<double> epochs;
    for (int gpus = 1; gpus <= 8; ++gpus) {
        epochs.push_back(one / gpus);
    }
    return epochs;
}

// Each further GPU brings less than the one before.
std::vector<double> less_and_less(double one) {
    std::vector<double> epochs;
    for (int gpus = 1; gpus <= 8; ++gpus) {
        epochs.push_back(one * (0.1 + 0.9 / gpus));
    }
    return epochs;
}

std::vector<std::string> played(const domain::JobTrace& trace, const Setup& setup = two_nodes) {
    const auto result = simulate(trace, "hora", **elastic::make_policy("hora"), setup);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    std::vector<std::string> sizes;
    for (const JobResult& row : result ? result->jobs : std::vector<JobResult>()) {
        sizes.push_back(sizes_of(row));
    }
    return sizes;
}

TEST(DaemonPlay, AJobGrowsWhenItHasRunForAWhile) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 2, 8), ideal(10000));
    EXPECT_EQ(played(trace), (std::vector<std::string>{"0 s: 2, 120 s: 8"}));
    sim::Setup impatient = two_nodes;
    impatient.cooldown = Seconds(0);
    EXPECT_EQ(played(trace, impatient), (std::vector<std::string>{"0 s: 2, 10 s: 8"}))
        << "it has reported";
    sim::Setup alone = two_nodes;
    alone.play = Play::policy;
    EXPECT_EQ(played(trace, alone), (std::vector<std::string>{"0 s: 8"}));
}

TEST(DaemonPlay, AJobThatWaitsStartsOnWhatIsIdle) {
    domain::JobTrace trace;
    add_job(trace, rigid_job(0, 6), std::vector<double>(6, 10000));
    add_job(trace, elastic_job(5, 4, 8), ideal(1000));
    EXPECT_EQ(played(trace), (std::vector<std::string>{"0 s: 6", "5 s: 2"}));
}

TEST(DaemonPlay, OneThatRunsMakesRoomForOneThatWaits) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 4, 8), less_and_less(100000));
    add_job(trace, rigid_job(500, 4), std::vector<double>(4, 100));
    // It has 4 of them back once they have been idle for a while.
    EXPECT_EQ(played(trace),
              (std::vector<std::string>{"0 s: 4, 120 s: 8, 500 s: 4, 720 s: 8", "500 s: 4"}));
}

TEST(DaemonPlay, ItsOwnRequestIsGivenUpOnlyWhereItYields) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 8, 8), less_and_less(10000));
    add_job(trace, rigid_job(500, 4), std::vector<double>(4, 100));
    EXPECT_EQ(played(trace).front(), "0 s: 8");
    trace.jobs[0].yields = true;
    EXPECT_EQ(played(trace).front().substr(0, 16), "0 s: 8, 500 s: 4");
}

RC_GTEST_PROP(DaemonPlay, AmongRigidJobsAnElasticOneKeepsItsRequest, ()) {
    domain::JobTrace trace;
    const auto requested = *rc::gen::inRange(1U, 9U);
    add_job(trace, elastic_job(0, requested, 8), less_and_less(*rc::gen::inRange(100, 20'000)));
    double submitted = 0;
    for (int count = *rc::gen::inRange(1, 12); count > 0; --count) {
        submitted += *rc::gen::inRange(0, 600);
        const auto gpus = *rc::gen::inRange(1U, 9U);
        add_job(trace, rigid_job(submitted, gpus),
                std::vector<double>(gpus, *rc::gen::inRange(1, 3000)));
    }
    // It comes first or last of those that come at once.
    if (*rc::gen::arbitrary<bool>()) {
        trace.jobs.front().submitted = Seconds(submitted);
        std::rotate(trace.jobs.begin(), trace.jobs.begin() + 1, trace.jobs.end());
    }
    const auto result = simulate(trace, "hora", **elastic::make_policy("hora"), two_nodes);
    RC_ASSERT(result.has_value());
    const auto& row =
        *std::find_if(result->jobs.begin(), result->jobs.end(),
                      [&trace](const JobResult& each) { return trace.jobs[each.job].is_elastic; });
    std::uint32_t least = 0;
    for (const Segment& segment : row.segments) {
        RC_ASSERT(segment.gpus >= least);
        least = std::min(std::max(least, segment.gpus), requested);
    }
}

TEST(DaemonPlay, ASizeThatNodesCannotShareOutIsNotTried) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 2, 7), ideal(10000));
    EXPECT_EQ(played(trace), (std::vector<std::string>{"0 s: 2, 120 s: 6"})) << "3 on each of two";
    trace.jobs[0].requested = 7;
    EXPECT_EQ(played(trace).front().substr(0, 6), "0 s: 7") << "Slurm shares its request out";
}

// Until 1000 s two GPUs idle on one node and one on the other: three, but not on one node.
TEST(DaemonPlay, OneThatNoNodesCanHoldYetKeepsNoShortJobWaiting) {
    domain::JobTrace trace;
    for (const std::uint32_t gpus : {2U, 3U}) {
        add_job(trace, rigid_job(0, gpus), std::vector<double>(gpus, 1000));
        trace.jobs.back().limit = Seconds(1000);
    }
    add_job(trace, elastic_job(10, 3, 3), ideal(300));
    trace.jobs.back().min = 3;
    add_job(trace, rigid_job(20, 1), {100});
    trace.jobs.back().limit = Seconds(300);
    add_job(trace, rigid_job(30, 1), {100});
    trace.jobs.back().limit = Seconds(3000);
    EXPECT_EQ(played(trace),
              (std::vector<std::string>{"0 s: 2", "0 s: 3", "1000 s: 3", "20 s: 1", "30 s: 1"}));
    trace.jobs.back().requested = trace.jobs.back().min = trace.jobs.back().max = 2;
    trace.speeds.back().epoch_seconds.assign(2, Seconds(100));
    EXPECT_EQ(played(trace).back(), "30 s: 2") << "beside what is kept from 1000 s on";
}

TEST(DaemonPlay, APolicyOfRequestsIsSlurmsOwn) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 8, 8), ideal(1000));
    add_job(trace, elastic_job(1, 2, 8), ideal(10));
    const auto result =
        simulate(trace, "sjf-backfill", **elastic::make_policy("sjf-backfill"), two_nodes);
    ASSERT_TRUE(result);
    EXPECT_EQ(sizes_of(result->jobs[0]), "0 s: 8");
    EXPECT_EQ(sizes_of(result->jobs[1]), "125 s: 2");
}

}  // namespace
}  // namespace hora::sim
