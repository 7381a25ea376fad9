// Are the GPUs of a node shared out among its switches, in order and evenly?
#include "libplanner/read/cluster/gpu_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hora::read {
namespace {

const domain::Link inside{Bandwidth(12e9), Seconds(1)};
const domain::Link across{Bandwidth(6e9), Seconds(2)};

TEST(GpuLayout, OfOneGroupIsFlat) {
    for (const std::uint32_t switches : {0U, 1U}) {
        const NodeLayout layout = switched_layout(3, switches, inside, across);
        ASSERT_EQ(layout.groups.size(), 1U);
        EXPECT_EQ(layout.groups[0].link, inside);
        EXPECT_EQ(layout.groups[0].kind, domain::PartKind::node);
        EXPECT_EQ(layout.groups[0].parent, domain::no_part);
        EXPECT_EQ(layout.group_of, (std::vector<std::uint32_t>{0, 0, 0}));
    }
    EXPECT_TRUE(flat_layout(0, inside).group_of.empty());
}

TEST(GpuLayout, OfSwitchesIsInOrder) {
    const NodeLayout layout = switched_layout(4, 2, inside, across);
    ASSERT_EQ(layout.groups.size(), 3U);
    EXPECT_EQ(layout.groups[0].link, across);
    EXPECT_EQ(layout.groups[1].link, inside);
    EXPECT_EQ(layout.groups[2].name, "switch1");
    EXPECT_EQ(layout.groups[2].kind, domain::PartKind::pcie_switch);
    EXPECT_EQ(layout.groups[2].parent, 0U);
    EXPECT_EQ(layout.group_of, (std::vector<std::uint32_t>{1, 1, 2, 2}));
}

TEST(GpuLayout, IsAsEvenAsCanBe) {
    for (std::uint32_t gpus = 1; gpus <= 20; ++gpus) {
        for (std::uint32_t switches = 2; switches <= gpus; ++switches) {
            const NodeLayout layout = switched_layout(gpus, switches, inside, across);
            EXPECT_TRUE(std::is_sorted(layout.group_of.begin(), layout.group_of.end()));
            for (std::uint32_t group = 1; group <= switches; ++group) {
                const auto own = std::count(layout.group_of.begin(), layout.group_of.end(), group);
                EXPECT_GE(own, gpus / switches) << gpus << " on " << switches;
                EXPECT_LE(own, (gpus + switches - 1) / switches) << gpus << " on " << switches;
            }
        }
    }
}

TEST(GpuLayout, TakesNvlinkWhereADeviceHasIt) {
    domain::Device device;
    device.pcie = Bandwidth(16e9);
    const domain::Link pcie = usual_link(device);
    EXPECT_EQ(pcie.latency, pcie_link(Bandwidth(1)).latency);
    EXPECT_GT(pcie.bandwidth, Bandwidth(0));
    EXPECT_LE(pcie.bandwidth, device.pcie);
    device.nvlink = Bandwidth(300e9);
    const domain::Link nvlink = usual_link(device);
    EXPECT_EQ(nvlink.latency, nvlink_link(Bandwidth(1)).latency);
    EXPECT_GT(nvlink.bandwidth, pcie.bandwidth);
    EXPECT_LE(nvlink.bandwidth, device.nvlink);
    EXPECT_LT(nvlink.latency, pcie.latency);
}

}  // namespace
}  // namespace hora::read
