// Is the noise scale the one by which the steps of each batch were made?
#include "libplanner/sim/workload/noise_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hora::sim {
namespace {

struct Application {
    std::vector<domain::TrueSpeed> speeds;
    std::vector<domain::BatchSpeed> range;
};

// As many steps as a training of 10^6 samples with tiny batches needs.
Application with(double noise, const std::vector<std::uint64_t>& batches) {
    Application application;
    for (const std::uint64_t batch : batches) {
        const auto samples = static_cast<double>(batch);
        application.range.push_back({batch, static_cast<std::uint32_t>(application.speeds.size())});
        application.speeds.emplace_back();
        application.speeds.back().steps = std::round(1e6 * (1 + samples / noise) / samples);
    }
    return application;
}

TEST(NoiseScale, IsFoundByTheStepsOfEachBatch) {
    for (const double noise : {50.0, 1000.0, 20'000.0}) {
        const Application application = with(noise, {8, 32, 128, 512});
        EXPECT_NEAR(noise_scale_of(application.speeds, application.range) / noise, 1, 0.05)
            << noise;
    }
}

TEST(NoiseScale, IsHugeWhereLargerBatchesNeedNoMoreSamples) {
    const Application one = with(100, {64});
    EXPECT_EQ(noise_scale_of(one.speeds, one.range), 1e12) << "one batch tells nothing";
    Application fewer = with(1e15, {50, 100});
    EXPECT_EQ(noise_scale_of(fewer.speeds, fewer.range), 1e12);
    fewer.speeds[1].steps /= 2;
    EXPECT_EQ(noise_scale_of(fewer.speeds, fewer.range), 1e12);
}

}  // namespace
}  // namespace hora::sim
