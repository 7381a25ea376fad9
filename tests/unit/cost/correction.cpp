// Do measured sizes tell computation from exchange, within bounds?
#include "libplanner/cost/correction.hpp"

#include <gtest/gtest.h>

namespace hora::cost {
namespace {

domain::MeasuredSpeed speed(double share, double ratio, std::optional<std::uint32_t> uid = 7) {
    return {.uid = uid,
            .model = "resnet50",
            .device = "v100",
            .gpus = 4,
            .nodes = 1,
            .exchange_share = share,
            .ratio = ratio,
            .runs = 2,
            .users = uid ? 1U : 3U};
}

struct Case {
    const char* name;
    std::vector<domain::MeasuredSpeed> measured;
    double compute;
    double exchange;
};

TEST(Correction, TellsComputationFromExchange) {
    const Case cases[] = {
        {"one GPU shows computation alone", {speed(0, 1.5)}, 1.5, 1},
        {"several shares show both", {speed(0, 1.5), speed(0.5, 2.25), speed(0.2, 1.8)}, 1.5, 3},
        {"an exchange that costs nothing", {speed(0, 1), speed(0.5, 0.5)}, 1, 0.125},
        {"too slow for belief", {speed(0, 19)}, largest_correction, 1},
    };
    for (const Case& each : cases) {
        const auto correction = correction_of(each.measured, 7, "resnet50", "v100");
        ASSERT_TRUE(correction) << each.name;
        EXPECT_NEAR(correction->compute, each.compute, 0.03) << each.name;
        // What is thought beforehand pulls a little.
        EXPECT_NEAR(correction->exchange, each.exchange, 0.12) << each.name;
    }
}

TEST(Correction, IsForThatModelDeviceAndUserAlone) {
    const std::vector measured{speed(0, 1.5)};
    EXPECT_TRUE(correction_of(measured, 7, "resnet50", "v100"));
    EXPECT_FALSE(correction_of(measured, 8, "resnet50", "v100"));
    EXPECT_FALSE(correction_of(measured, 7, "vgg16", "v100"));
    EXPECT_FALSE(correction_of(measured, 7, "resnet50", "t4"));
    EXPECT_TRUE(correction_of(measured, 7, "resnet50", "V100")) << "as a site may write it";
    EXPECT_TRUE(correction_of(std::vector{speed(0, 1.5, {})}, 8, "resnet50", "v100"));
}

TEST(LateShare, IsOfTheOwnersRunsOfTheModelOnTheDevice) {
    const auto late = [](std::optional<double> share, std::optional<std::uint32_t> uid = 7) {
        domain::MeasuredSpeed made = speed(0.2, 1, uid);
        made.late = share;
        return made;
    };
    const struct {
        const char* sentence;
        std::vector<domain::MeasuredSpeed> measured;
        std::optional<double> share;
    } cases[] = {
        {"nothing was measured", {}, {}},
        {"nothing was recorded", {late({})}, {}},
        {"the median of the sizes", {late(0.1), late(0.5), late({}), late(0.2)}, 0.2},
        {"none waited", {late(0.0)}, 0.0},
        {"another user's is not shown", {late(0.5, 8), late({})}, {}},
        {"nor where the owner has no runs", {late(0.5, 8)}, {}},
        {"nor what is said to be everybody's", {late(0.5, std::nullopt)}, {}},
    };
    for (const auto& each : cases) {
        EXPECT_EQ(late_share(each.measured, 7, "resnet50", "v100"), each.share) << each.sentence;
    }
    EXPECT_FALSE(late_share(std::vector{late(0.5)}, 7, "vgg16", "v100"));
    EXPECT_FALSE(late_share(std::vector{late(0.5)}, 7, "resnet50", "t4"));
}

TEST(Correction, KnowsWhetherRanksExchanged) {
    domain::Cluster cluster;
    cluster.devices.resize(2);
    cluster.devices[0].name = "t4";
    cluster.devices[1].name = "v100";
    EXPECT_FALSE(has_exchanged({}, 7, "resnet50", cluster));
    EXPECT_FALSE(has_exchanged(std::vector{speed(0, 1.5)}, 7, "resnet50", cluster));
    const std::vector measured{speed(0, 1.5), speed(0.2, 1.5)};
    EXPECT_TRUE(has_exchanged(measured, 7, "resnet50", cluster));
    EXPECT_FALSE(has_exchanged(measured, 8, "resnet50", cluster));
    EXPECT_FALSE(has_exchanged(measured, 7, "vgg16", cluster));
    cluster.devices.pop_back();
    EXPECT_FALSE(has_exchanged(measured, 7, "resnet50", cluster));
}

TEST(Correction, SlowsADeviceByItsFactor) {
    domain::Cluster cluster;
    cluster.devices.resize(2);
    for (domain::Device& device : cluster.devices) {
        device.peak.fill(FlopRate(1e12));
        device.memory_bandwidth = Bandwidth(4e11);
    }
    const Corrections corrections{domain::Correction{2, 3, 5, 0}, std::nullopt};
    apply(corrections, cluster);
    EXPECT_EQ(cluster.devices[0].peak[0], FlopRate(5e11));
    EXPECT_EQ(cluster.devices[0].memory_bandwidth, Bandwidth(2e11));
    EXPECT_EQ(cluster.devices[1].peak[0], FlopRate(1e12));
}

TEST(Correction, TakesTheExchangesFactorFromTheRunsThatExchanged) {
    domain::Cluster cluster;
    cluster.devices.resize(2);
    cluster.devices[0].name = "t4";
    cluster.devices[1].name = "v100";
    const auto on = [](const char* device, double share, double ratio, std::uint32_t runs) {
        domain::MeasuredSpeed made = speed(share, ratio);
        made.device = device;
        made.runs = runs;
        return made;
    };
    const struct {
        const char* sentence;
        std::vector<domain::MeasuredSpeed> measured;
        double factor;
    } cases[] = {
        {"nothing was measured", {}, 1},
        {"none exchanged", {on("v100", 0, 3, 9)}, 1},
        {"one device's did", {on("v100", 1, 3, 2)}, 3},
        {"of two devices the one of the most runs", {on("v100", 1, 3, 2), on("t4", 1, 2, 3)}, 2},
        {"of one and the same many the first", {on("v100", 1, 3, 2), on("t4", 1, 2, 2)}, 2},
        {"more runs on one GPU decide nothing", {on("v100", 1, 3, 2), on("t4", 0, 1, 9)}, 3},
        {"nor do they beside others of their device",
         {on("v100", 1, 3, 3), on("t4", 0, 1, 9), on("t4", 1, 2, 2)},
         3},
    };
    const auto factor = [&](std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid) {
        const Corrections corrections = corrections_of(measured, uid, "resnet50", cluster);
        return exchange_factor(corrections, measured, uid, "resnet50", cluster);
    };
    for (const auto& each : cases) {
        EXPECT_NEAR(factor(each.measured, 7), each.factor, 0.05) << each.sentence;
    }
    EXPECT_EQ(factor(std::vector{on("v100", 1, 3, 2)}, 8), 1);
}

}  // namespace
}  // namespace hora::cost
