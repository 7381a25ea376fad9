// Does the policy see what was measured, and nothing that was not?
#include "libplanner/sim/learned.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "libplanner/sim/oracle.hpp"
#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {
namespace {

// The second job shares the first one's application; the curve turns up at 4 GPUs, as no prior
// does.
domain::JobTrace two_of_a_kind(double turn) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 1, 4), {100, 60, 50, turn});
    trace.jobs.push_back(trace.jobs[0]);
    return trace;
}

TEST(Learned, SeesNoCurveBeforeItIsMeasured) {
    const domain::JobTrace one = two_of_a_kind(90);
    const domain::JobTrace other = two_of_a_kind(45);
    Learned first(one, {4, {}, 1});
    Learned second(other, {4, {}, 1});
    for (std::size_t gpus = 0; gpus < 4; ++gpus) {
        EXPECT_EQ(first.curve(0)->step[gpus], second.curve(0)->step[gpus]);
    }
}

TEST(Learned, KnowsWhatTheGradientsTakeOnTheNetwork) {
    domain::JobTrace trace = two_of_a_kind(90);
    trace.speeds[0].steps = 10;
    trace.speeds[0].gradients = Bytes(1e9);
    const auto at = [&trace](Bandwidth network) {
        Learned learned(trace, {2, {network, Seconds(0)}, 1});
        return learned.curve(0)->step;
    };
    const std::vector<Seconds> fast = at(Bandwidth(10e9));
    const std::vector<Seconds> slow = at(Bandwidth(1e9));
    EXPECT_EQ(fast[0], slow[0]);
    EXPECT_EQ(fast[1], slow[1]);  // on one node
    // 10 steps of 2 (g - 1) / g GB each, and slower than the data sheet says.
    const double written = 10 * 1.5 * (1 - 0.1);
    EXPECT_GT((slow[3] - fast[3]).count(), written);
    EXPECT_LT((slow[3] - fast[3]).count(), 4 * written);
}

// Whose gradients take seven times as long between nodes as the data sheet says.
TEST(Learned, ExpectsOfNodesWhatOtherApplicationsHaveShown) {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 1, 4), {100, 50, 135, 130});
    add_job(trace, elastic_job(0, 1, 4), {100, 50, 135, 130});
    for (domain::TrueSpeed& speed : trace.speeds) {
        speed.steps = 10;
        speed.gradients = Bytes(1e9);
    }
    for (const bool shares : {true, false}) {
        Learned learned(trace, {.gpus_per_node = 2,
                                .network = {Bandwidth(1e9), Seconds(0)},
                                .seed = 1,
                                .shares_fits = shares});
        const std::vector<Seconds> before = learned.curve(1)->step;
        for (const std::uint32_t gpus : {1U, 2U, 4U}) {
            learned.observe(0, gpus, (gpus + 1) / 2, 0, trace.speeds[0].epoch_seconds[gpus - 1]);
        }
        EXPECT_EQ(learned.curve(1)->step[0], before[0]);
        EXPECT_EQ(learned.curve(1)->step[3] > before[3], shares);
    }
}

TEST(Learned, IsSurerOfWhatWasMeasuredAndSharesItWithinAnApplication) {
    const domain::JobTrace trace = two_of_a_kind(90);
    Learned learned(trace, {4, {}, 1});
    const double before = learned.curve(1)->uncertainty[3];
    for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(learned.observe(0, 4, 1, 0, Seconds(90)));
        EXPECT_TRUE(learned.observe(0, 1, 1, 0, Seconds(100)));
    }
    EXPECT_LT(learned.curve(1)->uncertainty[3], before / 2);
    EXPECT_NEAR(learned.curve(1)->step[3].count(), 90, 9);
    EXPECT_NEAR(learned.curve(1)->step[0].count(), 100, 10);
}

TEST(Learned, KeepsToEachJobWhereFitsAreNotShared) {
    const domain::JobTrace trace = two_of_a_kind(90);
    Learned learned(trace, {.gpus_per_node = 4, .network = {}, .seed = 1, .shares_fits = false});
    const std::vector<Seconds> before = learned.curve(1)->step;
    EXPECT_EQ(learned.curve(0)->step, before) << "of one prior";
    EXPECT_TRUE(learned.observe(0, 4, 1, 0, Seconds(90)));
    EXPECT_EQ(learned.curve(1)->step, before);
    EXPECT_NE(learned.curve(0)->step, before);
}

TEST(Learned, MeasuresWithNoise) {
    const domain::JobTrace trace = two_of_a_kind(90);
    Learned one(trace, {4, {}, 1});
    Learned other(trace, {4, {}, 2});
    one.observe(0, 1, 1, 0, Seconds(100));
    other.observe(0, 1, 1, 0, Seconds(100));
    EXPECT_NE(one.curve(0)->step[0], other.curve(0)->step[0]);
}

// An application that may train with 64 samples or 512, of which an epoch on one GPU takes 100 and
// 40 s.
domain::JobTrace with_batches() {
    domain::JobTrace trace;
    add_job(trace, elastic_job(0, 1, 4), {100, 60, 50, 48});
    trace.speeds[0].steps = 1000;
    domain::TrueSpeed large = trace.speeds[0];
    large.steps = 150;
    large.epoch_seconds = {Seconds(40), Seconds(21), Seconds(12)};
    trace.speeds.push_back(large);
    trace.ranges = {{{64, 0}, {512, 1}}};
    trace.jobs[0].range = 0;
    return trace;
}

TEST(Learned, TrainsWithTheSmallestBatchUntilItsNoiseScaleIsReported) {
    const domain::JobTrace trace = with_batches();
    Learned learned(trace, {4, {}, 1});
    EXPECT_EQ(learned.curve(0)->batch, std::vector<std::uint64_t>(4, 64));
    for (const std::uint32_t gpus : {1U, 4U}) {
        learned.observe(0, gpus, 1, 64, trace.speeds[0].epoch_seconds[gpus - 1]);
    }
    EXPECT_GT(learned.curve(0)->batch[3], 64U) << "four GPUs are hardly faster with 64";
    for (int i = 0; i < 20; ++i) {
        learned.observe(0, 1, 1, 512, Seconds(40));
    }
    EXPECT_GT(learned.curve(0)->batch[0], 64U);
    EXPECT_NEAR(learned.curve(0)->step[0].count(), 40, 8) << "of an epoch";
}

TEST(Oracle, KnowsTheFastestBatchOfEachSize) {
    const domain::JobTrace trace = with_batches();
    const auto curve = Oracle(trace).curve(0);
    EXPECT_EQ(curve->batch, std::vector<std::uint64_t>(4, 512));
    EXPECT_EQ(curve->step,
              (std::vector<Seconds>{Seconds(40), Seconds(21), Seconds(12), Seconds(12)}))
        << "beyond what was measured it is no faster";
}

TEST(Knowledge, TrainsOnFewGpusWithTheBatchesThatArePossibleThere) {
    domain::JobTrace trace = with_batches();
    trace.ranges[0][1].least = 3;
    const std::vector<std::uint64_t> wanted{64, 64, 512, 512};
    const auto curve = Oracle(trace).curve(0);
    EXPECT_EQ(curve->batch, wanted);
    EXPECT_EQ(curve->step,
              (std::vector<Seconds>{Seconds(100), Seconds(60), Seconds(12), Seconds(12)}));
    Learned learned(trace, {4, {}, 1});
    for (int i = 0; i < 20; ++i) {
        learned.observe(0, 4, 1, 64, Seconds(48));
        learned.observe(0, 4, 1, 512, Seconds(12));
    }
    EXPECT_EQ(learned.curve(0)->batch, wanted);
}

TEST(Oracle, SeesTheTruthAndIsCertain) {
    const domain::JobTrace trace = two_of_a_kind(90);
    Oracle oracle(trace);
    EXPECT_EQ(oracle.curve(1)->step[3], Seconds(90));
    EXPECT_TRUE(oracle.curve(1)->uncertainty.empty());
    EXPECT_FALSE(oracle.observe(0, 1, 1, 0, Seconds(1)));
}

}  // namespace
}  // namespace hora::sim
