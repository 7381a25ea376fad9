// Which roof holds a device back, and what does a layer take under it?
#include "libplanner/cost/roofline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/cost/forward_time.hpp"

namespace hora::cost {
namespace {

using domain::Bound;

TEST(Roofline, IsBoundByTheLowerRoof) {
    struct Case {
        const char* name;
        double intensity;
        double attainable;
        Bound bound;
    };
    const Case cases[] = {
        {"below the ridge the memory feeds too little", 5, 500, Bound::memory},
        {"at the ridge the arithmetic is the bound", 10, 1000, Bound::compute},
        {"above the ridge nothing is gained", 50, 1000, Bound::compute},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.name);
        const auto roof = roofline(FlopRate(1000), Bandwidth(100), one.intensity);
        EXPECT_DOUBLE_EQ(roof.attainable.count(), one.attainable);
        EXPECT_EQ(roof.bound, one.bound);
    }
}

// 1000 FLOP/s and 100 bytes a second; fp16 is twice as fast.
domain::Device device() {
    domain::Device made;
    made.peak[static_cast<std::size_t>(domain::DataType::fp32)] = FlopRate(1000);
    made.peak[static_cast<std::size_t>(domain::DataType::fp16)] = FlopRate(2000);
    made.memory_bandwidth = Bandwidth(100);
    return made;
}

TEST(Roofline, WeightsAreReadOnceAndActivationsWrittenForEachSample) {
    const domain::LayerCost layer{7, 30, 5};
    EXPECT_EQ(work(layer, 3).count(), 2 * 7 * 3);
    EXPECT_EQ(traffic(layer, 3).count(), 30 + 5 * 3);
    EXPECT_EQ(work(layer, 0).count(), 0);
    EXPECT_EQ(traffic(layer, 0).count(), 30);
}

TEST(Roofline, ALayerTakesTheLongerOfWorkAndTraffic) {
    struct Case {
        const char* sentence;
        domain::LayerCost layer;
        domain::DataType type;
        double seconds;
    };
    const Case cases[] = {
        {"2 * 500 * 4 operations", {500, 10, 10}, domain::DataType::fp32, 4},
        {"half of that in fp16", {500, 10, 10}, domain::DataType::fp16, 2},
        {"in a format that it lacks as in fp32", {500, 10, 10}, domain::DataType::bf16, 4},
        {"100 + 4 * 50 bytes", {1, 100, 50}, domain::DataType::fp32, 3},
        {"nothing", {}, domain::DataType::fp32, 0},
    };
    for (const Case& test : cases) {
        EXPECT_DOUBLE_EQ(forward_seconds({test.type, {test.layer}}, device(), 4), test.seconds)
            << test.sentence;
    }
    domain::Workload workload;
    workload.layers = {cases[0].layer, cases[3].layer};
    EXPECT_DOUBLE_EQ(forward_seconds(workload, device(), 4), 4 + 3) << "one after the other";
}

TEST(Roofline, AKindOfLayerAttainsItsShareOfThePeak) {
    domain::Device half = device();
    domain::Efficiency::Shares& fp32 = half.efficiency.shares[0];
    fp32.compute[static_cast<std::size_t>(domain::LayerKind::dense)] = 0.5;
    fp32.memory = 0.25;
    half.efficiency.layer = Seconds(0.5);
    const auto takes = [&](domain::LayerCost layer, domain::DataType type) {
        return forward_seconds({type, {layer}}, half, 4);
    };
    using enum domain::LayerKind;
    EXPECT_DOUBLE_EQ(takes({500, 10, 10, dense}, domain::DataType::fp32), 8);
    EXPECT_DOUBLE_EQ(takes({500, 10, 10, dense}, domain::DataType::bf16), 8) << "as in fp32";
    EXPECT_DOUBLE_EQ(takes({500, 10, 10, dense}, domain::DataType::fp16), 2) << "all of it";
    EXPECT_DOUBLE_EQ(takes({500, 10, 10, attention}, domain::DataType::fp32), 4);
    EXPECT_DOUBLE_EQ(takes({0, 100, 50, memory}, domain::DataType::fp32), 12);
    EXPECT_DOUBLE_EQ(takes({1, 0, 0, memory}, domain::DataType::fp32), 0.5) << "its launch";
    domain::Workload workload;
    workload.layers = {{500, 0, 0, dense}, {500, 0, 0, attention}};
    EXPECT_DOUBLE_EQ(roofline(workload, half, 4).attainable.count(), 0) << "no bytes at all";
    workload.layers[0].weight_bytes = 1;
    EXPECT_DOUBLE_EQ(roofline(workload, half, 4).attainable.count(), 8000.0 / 12)
        << "4000 operations at 500 a second, and 4000 at 1000";
}

TEST(Roofline, OfANetworkGoesByItsSums) {
    domain::Workload workload;
    workload.layers = {{500, 10, 10}, {1, 100, 50}};
    const Roofline roof = roofline(workload, device(), 4);
    const double intensity = 2.0 * 501 * 4 / (110 + 60 * 4);
    EXPECT_EQ(roof.bound, domain::Bound::compute);
    EXPECT_DOUBLE_EQ(roof.attainable.count(), std::min(1000.0, 100 * intensity));
    workload.layers = {{}};
    EXPECT_EQ(roofline(workload, device(), 4).attainable.count(), 0) << "no bytes at all";
}

}  // namespace
}  // namespace hora::cost
