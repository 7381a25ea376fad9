// Which roof holds a device back, and what does a layer take under it?
#include "libplanner/cost/roofline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
        EXPECT_DOUBLE_EQ(forward_time(test.layer, device(), test.type, 4).count(), test.seconds)
            << test.sentence;
    }
    domain::Workload workload;
    workload.layers = {cases[0].layer, cases[3].layer};
    EXPECT_DOUBLE_EQ(forward_time(workload, device(), 4).count(), 4 + 3) << "one after the other";
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
