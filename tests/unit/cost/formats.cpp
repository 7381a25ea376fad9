#include "libplanner/cost/formats.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "tests/unit/cost/forward_time.hpp"

namespace hora::cost {
namespace {

using domain::DataType;
using domain::LayerCost;
using domain::LayerKind;

const LayerCost convolution{9, 0, 0, LayerKind::convolution};
const LayerCost depthwise{9, 0, 0, LayerKind::grouped_convolution};
const LayerCost dense{9, 0, 0, LayerKind::dense};
const LayerCost norm{0, 0, 9, LayerKind::memory};
const LayerCost patches_of_nothing{0, 0, 9, LayerKind::convolution};

TEST(Formats, AreThoseOfAFrameworkUnlessOneIsStated) {
    struct Case {
        const char* name;
        std::optional<DataType> stated;
        std::vector<LayerCost> layers;
        DataType of_convolutions;
        DataType of_memory;
        DataType of_dense;
    };
    const Case cases[] = {
        {"convolutions",
         {},
         {convolution, norm, dense},
         DataType::tf32,
         DataType::tf32,
         DataType::fp32},
        {"depthwise ones", {}, {depthwise}, DataType::tf32, DataType::tf32, DataType::fp32},
        {"a transformer", {}, {dense, norm}, DataType::fp32, DataType::fp32, DataType::fp32},
        {"nothing to convolve",
         {},
         {patches_of_nothing, dense},
         DataType::fp32,
         DataType::fp32,
         DataType::fp32},
        {"stated",
         DataType::fp32,
         {convolution, norm},
         DataType::fp32,
         DataType::fp32,
         DataType::fp32},
        {"stated likewise",
         DataType::bf16,
         {convolution, dense},
         DataType::bf16,
         DataType::bf16,
         DataType::bf16},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const Formats formats = formats_of({each.stated, each.layers});
        const auto of = [&](LayerKind kind) { return formats[static_cast<std::size_t>(kind)]; };
        EXPECT_EQ(of(LayerKind::convolution), each.of_convolutions);
        EXPECT_EQ(of(LayerKind::grouped_convolution), each.of_convolutions);
        EXPECT_EQ(of(LayerKind::memory), each.of_memory);
        EXPECT_EQ(of(LayerKind::dense), each.of_dense);
        EXPECT_EQ(of(LayerKind::attention), each.of_dense);
        EXPECT_EQ(of(LayerKind::recurrent), each.of_dense);
    }
}

domain::Device with_tf32(double rate) {
    domain::Device device;
    device.peak[static_cast<std::size_t>(DataType::fp32)] = FlopRate(18);
    device.peak[static_cast<std::size_t>(DataType::tf32)] = FlopRate(rate);
    device.memory_bandwidth = Bandwidth(1e9);
    return device;
}

TEST(Formats, AreTheFastOnesWhereTheGpuHasThem) {
    const domain::Workload network{{}, {convolution, dense}};
    EXPECT_DOUBLE_EQ(forward_seconds(network, with_tf32(0), 1), 2);
    EXPECT_DOUBLE_EQ(forward_seconds(network, with_tf32(180), 1), 1.1);
    EXPECT_FALSE(takes_tf32(network, with_tf32(0)));
    EXPECT_TRUE(takes_tf32(network, with_tf32(180)));
    EXPECT_FALSE(takes_tf32({DataType::tf32, {convolution}}, with_tf32(180))) << "it was said";
    EXPECT_FALSE(takes_tf32({{}, {dense, norm}}, with_tf32(180)));
}

struct LackingCase {
    const char* sentence;
    std::optional<DataType> stated;
    bool can_compute;
    const char* remark;  // of a plan with such a GPU and one that has every format
};

const LackingCase lacking[] = {
    {"nothing was stated", {}, true, ""},
    {"every GPU has fp32", DataType::fp32, true, ""},
    {"tf32 is stored as fp32", DataType::tf32, true, "old has no tf32: computed in fp32"},
    {"16 bits are stored as such", DataType::bf16, true, "old has no bf16: computed in fp32"},
    {"fp8 is refused", DataType::fp8, false, "old has no fp8: computed in fp32"},
};

TEST(Formats, OfSixteenBitsAreComputedInFp32WhereTheGpuLacksThem) {
    domain::Cluster cluster;
    cluster.devices = {with_tf32(0), with_tf32(0)};
    cluster.devices[0].name = "old";
    cluster.devices[1].name = "new";
    cluster.devices[1].peak.fill(FlopRate(18));
    domain::Plan plan;
    plan.devices.resize(2);
    plan.devices[1].device = 1;
    for (const LackingCase& test : lacking) {
        const domain::Workload workload{test.stated, {convolution, dense}};
        EXPECT_EQ(can_compute(workload, cluster.devices[0]), test.can_compute) << test.sentence;
        EXPECT_TRUE(can_compute(workload, cluster.devices[1])) << test.sentence;
        EXPECT_EQ(format_remark(workload, plan, cluster), test.remark) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::cost
