#include "libplanner/read/machine/device_catalog.hpp"

#include <gtest/gtest.h>

namespace hora::read {
namespace {

using domain::DataType;
using domain::Device;

Expected<std::vector<Device>> with_site(std::string_view toml) {
    auto root = read_toml(toml, "hora.toml");
    if (!root) {
        return unexpected(root.error());
    }
    return take_devices(*root, known_devices());
}

TEST(DeviceCatalog, KnowsTheNamesOfTheManual) {
    const char* const names[] = {
        "gtx970",    "gtx1080", "gtx1080ti", "titanx",    "k80",  "p100", "v100", "t4",
        "rtx2080ti", "rtx6000", "a100-40gb", "a100-80gb", "l40s", "h100", "h200", "b200"};
    for (const char* const name : names) {
        EXPECT_NE(find_device(known_devices(), name), nullptr) << name;
    }
}

TEST(DeviceCatalog, KnowsTheNamesOfAutoDetect) {
    const struct {
        const char* sentence;
        const char* found;
        const char* same_as;
        bool is_alike;
    } cases[] = {
        {"GeForce", "nvidia_geforce_gtx_1080_ti", "gtx1080ti", true},
        {"Tesla", "tesla_v100-sxm2-16gb", "v100", true},
        {"an SXM board", "nvidia_a100-sxm4-80gb", "a100-80gb", true},
        {"a name with its memory", "nvidia_h100_80gb_hbm3", "h100", true},
        {"a PCIe board is slower", "nvidia_h100_pcie", "h100", false},
        {"a PCIe board has no NVLink", "nvidia_a100-pcie-40gb", "a100-40gb", false},
        {"a board with more memory", "tesla_v100-sxm2-32gb", "v100", false},
    };
    for (const auto& row : cases) {
        const Device* const found = find_device(known_devices(), row.found);
        const Device* const other = find_device(known_devices(), row.same_as);
        ASSERT_NE(found, nullptr) << row.sentence;
        ASSERT_NE(other, nullptr) << row.sentence;
        const bool is_alike = found->peak == other->peak && found->memory == other->memory &&
                              found->memory_bandwidth == other->memory_bandwidth &&
                              found->nvlink == other->nvlink;
        EXPECT_EQ(is_alike, row.is_alike) << row.sentence;
    }
    for (const Device& device : known_devices()) {
        if (device.name.ends_with("pcie") || device.name.find("-pcie-") != device.name.npos) {
            EXPECT_EQ(device.nvlink, Bandwidth(0)) << device.name;
        }
    }
}

TEST(DeviceCatalog, HasWholeAndPlausibleEntries) {
    for (const Device& device : known_devices()) {
        EXPECT_GT(device.peak_for(DataType::fp32), FlopRate(3e12)) << device.name;
        EXPECT_LT(device.peak_for(DataType::fp8), FlopRate(6e15)) << device.name;
        EXPECT_GE(device.peak_for(DataType::fp16), device.peak_for(DataType::fp32)) << device.name;
        EXPECT_GT(device.memory_bandwidth, Bandwidth(150e9)) << device.name;
        EXPECT_GE(device.memory, Bytes(4.0 * (1 << 30))) << device.name;
        EXPECT_GE(device.pcie, Bandwidth(15.75e9)) << device.name;
        EXPECT_FALSE(device.source.empty()) << device.name;
    }
    const Device& h100 = *find_device(known_devices(), "h100");
    EXPECT_EQ(h100.nvlink, Bandwidth(450e9));
    EXPECT_EQ(h100.peak_for(DataType::bf16), FlopRate(989e12));
}

TEST(DeviceCatalog, LetsASiteOverrideKeyByKey) {
    const auto devices = with_site(
        "[gpu.gtx1080]\npeak = { fp32 = '6.1 TFLOP/s' }\nmemory_bandwidth = '352 GB/s'\n");
    ASSERT_TRUE(devices) << devices.error().message;
    const Device& device = *find_device(*devices, "gtx1080");
    EXPECT_EQ(device.peak_for(DataType::fp32), FlopRate(6.1e12));
    EXPECT_EQ(device.memory_bandwidth, Bandwidth(352e9));
    EXPECT_EQ(device.memory, find_device(known_devices(), "gtx1080")->memory);
    EXPECT_EQ(devices->size(), known_devices().size());
}

TEST(DeviceCatalog, LetsASiteAddItsOwn) {
    const auto devices = with_site(
        "[gpu.nvidia_v100-pcie]\nlike = 'v100'\nnvlink = 'none'\n"
        "[gpu.mine]\npeak = { fp32 = '1 GFLOP/s' }\nmemory_bandwidth = '10 GB/s'\n"
        "memory = '1 GiB'\n");
    ASSERT_TRUE(devices) << devices.error().message;
    EXPECT_EQ(find_device(*devices, "nvidia_v100-pcie")->nvlink, Bandwidth(0));
    EXPECT_EQ(find_device(*devices, "nvidia_v100-pcie")->memory_bandwidth, Bandwidth(900e9));
    EXPECT_EQ(find_device(*devices, "mine")->pcie, Bandwidth(15.75e9));
}

TEST(DeviceCatalog, SaysWhatIsWrong) {
    const struct {
        const char* sentence;
        const char* toml;
        const char* message;
    } cases[] = {
        {"a new device that is incomplete", "[gpu.mine]\nmemory = '1 GiB'\n",
         "hora.toml:1:1: \"mine\" is a new device and needs \"peak.fp32\", or \"like\" a known "
         "one"},
        {"like an unknown device", "[gpu.mine]\nlike = 'h1000'\n",
         "hora.toml:2:8: unknown device \"h1000\"; did you mean \"h100\"?"},
        {"an unknown data type", "[gpu.h100]\npeak = { fp23 = '1 TFLOP/s' }\n",
         "hora.toml:2:10: unknown key \"fp23\"; did you mean \"fp32\"?"},
        {"a slip in a key", "[gpu.h100]\nmemory_bandwith = '1 GB/s'\n",
         "hora.toml:2:1: unknown key \"memory_bandwith\"; did you mean \"memory_bandwidth\"?"},
        {"a name that Slurm could not have", "[gpu.\"a b\"]\n",
         "hora.toml:1:1: \"a b\" is no name of a device: letters, digits, '-', '_' and '.', at "
         "most 64"},
    };
    for (const auto& test : cases) {
        const auto devices = with_site(test.toml);
        ASSERT_FALSE(devices) << test.sentence;
        EXPECT_EQ(devices.error().message, test.message) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::read
