#include "libplanner/read/machine/efficiency_catalog.hpp"

#include <gtest/gtest.h>

#include "libplanner/read/machine/device_catalog.hpp"

namespace hora::read {
namespace {

using domain::DataType;
using domain::Efficiency;
using domain::LayerKind;

Expected<std::vector<Efficiency>> read(const std::string& toml) {
    auto root = read_toml(toml, "devices.toml");
    return root ? take_efficiencies(*root)
                : Expected<std::vector<Efficiency>>(tl::unexpect, root.error());
}

std::string table(const std::string& convolution) {
    return "[efficiency.new]\nconvolution = " + convolution +
           "\ngrouped_convolution = {}\ndense = {}\nattention = {}\nrecurrent = {}\n"
           "memory = { fp32 = 0.25 }\nlayer = \"50 us\"\nstep = \"5 ms\"\noptimizer_bytes = 4\n"
           "source = \"none\"\n";
}

TEST(EfficiencyCatalog, ATypeWithoutAShareTakesThatOfTheTypeItIsLike) {
    const auto efficiencies = read(table("{ fp32 = 0.8, fp16 = 0.4 }"));
    ASSERT_TRUE(efficiencies) << efficiencies.error().message;
    const Efficiency* const made = find_efficiency(*efficiencies, "new");
    ASSERT_NE(made, nullptr);
    const struct {
        DataType type;
        double share;
    } cases[] = {{DataType::fp32, 0.8},
                 {DataType::tf32, 0.8},
                 {DataType::fp16, 0.4},
                 {DataType::bf16, 0.4},
                 {DataType::fp8, 0.4}};
    for (const auto& row : cases) {
        EXPECT_EQ(made->compute(row.type, LayerKind::convolution), row.share)
            << domain::info(row.type).name;
        EXPECT_EQ(made->compute(row.type, LayerKind::dense), 1) << "not stated at all";
        EXPECT_EQ(made->memory(row.type), 0.25);
    }
    EXPECT_DOUBLE_EQ(made->layer.count(), 50e-6);
    EXPECT_DOUBLE_EQ(made->step.count(), 5e-3);
    EXPECT_EQ(find_efficiency(*efficiencies, "old"), nullptr);
}

TEST(EfficiencyCatalog, RefusesWhatIsNoEfficiency) {
    const struct {
        const char* sentence;
        std::string toml;
        const char* message;
    } cases[] = {
        {"no share at all", table("{ fp32 = 0 }"), "a share is above 0"},
        {"an unknown type", table("{ fp31 = 0.5 }"), "fp31"},
        {"a kind that is missing", "[efficiency.new]\nmemory = {}\n", "\"convolution\""},
        {"no step",
         "[efficiency.new]\nconvolution = {}\ngrouped_convolution = {}\ndense = {}\n"
         "attention = {}\nrecurrent = {}\nmemory = {}\nlayer = \"1 us\"\n",
         "\"step\""},
    };
    for (const auto& row : cases) {
        const auto efficiencies = read(row.toml);
        ASSERT_FALSE(efficiencies) << row.sentence;
        EXPECT_NE(efficiencies.error().message.find(row.message), std::string::npos)
            << row.sentence << ": " << efficiencies.error().message;
    }
}

TEST(EfficiencyCatalog, EveryShippedDeviceHasOneAndAttainsLessThanItsMemoryCould) {
    for (const domain::Device& device : known_devices()) {
        const Efficiency* const known =
            find_efficiency(known_efficiencies(), device.efficiency.name);
        ASSERT_NE(known, nullptr) << device.name;
        EXPECT_EQ(device.efficiency, *known) << device.name;
        for (const domain::DataTypeInfo& type : domain::data_types) {
            EXPECT_LT(device.attained_bandwidth(type.type), device.memory_bandwidth) << device.name;
        }
    }
}

TEST(EfficiencyCatalog, RatesOfASitesOwnAreAttainedOnes) {
    const struct {
        const char* sentence;
        const char* toml;
        const char* efficiency;
    } cases[] = {
        {"the memory alone is another", "[gpu.v100]\nmemory = \"31 GiB\"\n", "volta"},
        {"a peak of its own", "[gpu.v100]\npeak = { fp32 = \"9 TFLOP/s\" }\n", ""},
        {"a bandwidth of its own", "[gpu.v100]\nmemory_bandwidth = \"200 GB/s\"\n", ""},
        {"a peak beside a device that it is like",
         "[gpu.v100]\nlike = \"v100\"\npeak = { fp32 = \"14 TFLOP/s\" }\n", "volta"},
        {"a peak of a data sheet, with its efficiency",
         "[gpu.v100]\npeak = { fp32 = \"14 TFLOP/s\" }\nefficiency = \"turing\"\n", "turing"},
        {"none on purpose", "[gpu.v100]\nefficiency = \"none\"\n", ""},
    };
    for (const auto& row : cases) {
        auto root = read_toml(row.toml, "hora.toml");
        ASSERT_TRUE(root);
        const auto devices = take_devices(*root, known_devices());
        ASSERT_TRUE(devices) << row.sentence << ": " << devices.error().message;
        EXPECT_EQ(find_device(*devices, "v100")->efficiency.name, row.efficiency) << row.sentence;
    }
    auto root = read_toml("[gpu.v100]\nefficiency = \"vota\"\n", "hora.toml");
    const auto devices = take_devices(*root, known_devices());
    ASSERT_FALSE(devices);
    EXPECT_EQ(devices.error().message,
              "hora.toml:2:14: unknown efficiency \"vota\"; did you mean \"volta\"?");
}

TEST(EfficiencyCatalog, ASiteSaysHowMuchOfItsProgramsAttain) {
    const auto device = [](const char* toml) {
        auto root = read_toml(toml, "hora.toml");
        EXPECT_TRUE(root);
        return take_devices(*root, known_devices()).transform([](const auto& devices) {
            return *find_device(devices, "v100");
        });
    };
    const Efficiency& shipped = find_device(known_devices(), "v100")->efficiency;
    const auto found = device("[gpu.v100]\nattained = { compute = 2, memory = 0.5 }\n");
    ASSERT_TRUE(found) << found.error().message;
    for (const domain::DataTypeInfo& type : domain::data_types) {
        EXPECT_DOUBLE_EQ(found->efficiency.memory(type.type), 0.5 * shipped.memory(type.type));
        for (const domain::LayerKindInfo& kind : domain::layer_kinds) {
            EXPECT_DOUBLE_EQ(found->efficiency.compute(type.type, kind.kind),
                             2 * shipped.compute(type.type, kind.kind));
        }
    }
    EXPECT_EQ(found->efficiency.layer, shipped.layer * 2);
    EXPECT_EQ(found->efficiency.step, shipped.step);

    const struct {
        const char* toml;
        const char* message;
    } refused[] = {
        {"[gpu.v100]\nattained = { compute = 0 }\n", "hora.toml:2:24: a factor is 0.01 to 100"},
        {"[gpu.v100]\nattained = { memory = 101 }\n", "hora.toml:2:23: a factor is 0.01 to 100"},
        {"[gpu.v100]\nattained = { compute = nan }\n",
         "hora.toml:2:24: \"compute\" must be a finite number"},
        {"[gpu.v100]\nattained = { step = 2 }\n",
         "hora.toml:2:14: unknown key \"step\"; known here: compute, memory"},
    };
    for (const auto& row : refused) {
        const auto wrong = device(row.toml);
        ASSERT_FALSE(wrong) << row.toml;
        EXPECT_EQ(wrong.error().message, row.message);
    }
}

}  // namespace
}  // namespace hora::read
