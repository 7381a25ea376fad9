// Are P5's jobs drawn as it says?
#include "libplanner/sim/workload/generator.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>

namespace hora::sim {
namespace {

domain::JobTrace many(const Mix& mix, std::uint64_t seed) {
    return draw_jobs({.mix = mix, .jobs = 20'000}, seed);
}

TEST(Generator, DrawsClassesInProportion) {
    for (const NamedMix& named : named_mixes()) {
        SCOPED_TRACE(named.name);
        EXPECT_NEAR(std::accumulate(named.mix.begin(), named.mix.end(), 0.0), 1, 1e-9);
        std::map<std::string, double> share;
        for (const domain::TraceJob& job : many(named.mix, 3).jobs) {
            share[job.name.substr(0, job.name.find('-'))] += 1.0 / 20'000;
        }
        EXPECT_NEAR(share["micro"], named.mix[0], 0.02);
        EXPECT_NEAR(share["small"], named.mix[1], 0.02);
        EXPECT_NEAR(share["medium"], named.mix[2], 0.02);
        EXPECT_NEAR(share["large"], named.mix[3], 0.02);
    }
}

TEST(Generator, DrawsTimesAndSpeedsWithinP5sRanges) {
    const domain::JobTrace trace = many({0, 0, 0, 1}, 5);
    double speed_up = 0;
    for (const domain::TraceJob& job : trace.jobs) {
        const auto& epochs = trace.speeds[job.speed].epoch_seconds;
        const double whole = epochs[0].count() * job.epochs;
        EXPECT_GE(whole, 121 * 60 * 0.999);
        EXPECT_LE(whole, 360 * 60 * 1.001);
        EXPECT_GE(job.epochs, 10);
        EXPECT_LE(job.epochs, 100);
        ASSERT_EQ(epochs.size(), 12);
        speed_up += epochs[0] / epochs[11] / static_cast<double>(trace.jobs.size());
    }
    // S(12) = 3.5 for the middle coefficients.
    EXPECT_NEAR(speed_up, 3.5, 0.15);
    const Seconds mean = trace.jobs.back().submitted / static_cast<double>(trace.jobs.size());
    EXPECT_NEAR(mean.count(), 900, 20);
}

TEST(Generator, HangsOnTheSeedAlone) {
    EXPECT_EQ(many(named_mixes()[0].mix, 7).jobs.back().submitted,
              many(named_mixes()[0].mix, 7).jobs.back().submitted);
    EXPECT_NE(many(named_mixes()[0].mix, 7).jobs.back().submitted,
              many(named_mixes()[0].mix, 8).jobs.back().submitted);
}

}  // namespace
}  // namespace hora::sim
