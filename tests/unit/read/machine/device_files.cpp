#include "libplanner/read/machine/device_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace hora::read {
namespace {

domain::Topology two_gpus(std::uint16_t vendor) {
    domain::Topology topology;
    topology.objects.resize(3);
    for (std::uint32_t i = 1; i <= 2; ++i) {
        topology.objects[i].vendor = vendor;
        topology.objects[i].address.bus = static_cast<std::uint8_t>(i);
        topology.gpus.emplace_back().object = i;
    }
    return topology;
}

class DeviceFilesTest : public testing::Test {
  protected:
    void TearDown() override { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const std::string& text) {
        const std::filesystem::path whole = root_ + path;
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream(whole) << text;
    }

    const std::string root_ = testing::TempDir() + "hora-device-files";
};

using Paths = std::vector<std::string>;

TEST_F(DeviceFilesTest, TheDriverNumbersThem) {
    write("/proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: X\nDevice Minor: \t 12\n");
    write("/proc/driver/nvidia/gpus/0000:02:00.0/information", "Device Minor: \t 0");
    const DeviceFiles files = local_device_files(two_gpus(0x10de), root_);
    EXPECT_EQ(files.paths, (Paths{"/dev/nvidia12", "/dev/nvidia0"}));
    EXPECT_FALSE(files.are_assumed);
}

TEST_F(DeviceFilesTest, RenderNodesOfOtherMakers) {
    write("/sys/bus/pci/devices/0000:01:00.0/drm/card1/dev", "");
    write("/sys/bus/pci/devices/0000:01:00.0/drm/renderD129/dev", "");
    write("/sys/bus/pci/devices/0000:02:00.0/drm/renderD128/dev", "");
    const DeviceFiles files = local_device_files(two_gpus(0x1002), root_);
    EXPECT_EQ(files.paths, (Paths{"/dev/dri/renderD129", "/dev/dri/renderD128"}));
    EXPECT_FALSE(files.are_assumed);
}

TEST_F(DeviceFilesTest, WhatNotAllTellIsAssumed) {
    write("/proc/driver/nvidia/gpus/0000:01:00.0/information", "Device Minor: 1\n");
    write("/proc/driver/nvidia/gpus/0000:02:00.0/information", "Device Minor: none\n");
    const DeviceFiles files = local_device_files(two_gpus(0x10de), root_);
    EXPECT_EQ(files.paths, (Paths{"/dev/nvidia0", "/dev/nvidia1"}));
    EXPECT_TRUE(files.are_assumed);
}

}  // namespace
}  // namespace hora::read
