#include "libplanner/read/machine/pcie_links.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "libplanner/read/machine/pci_device.hpp"
#include "libplanner/read/pci_address.hpp"

namespace hora::read {
namespace {

using domain::ObjectKind;
using domain::Topology;

// A GPU under a root port.
Topology gpu_under_a_port(std::uint16_t device) {
    Topology topology;
    topology.objects = {{.kind = ObjectKind::machine},
                        {.kind = ObjectKind::host_bridge, .parent = 0},
                        {.kind = ObjectKind::bridge, .parent = 1, .address = {0, 0, 1, 0}},
                        {.kind = ObjectKind::gpu,
                         .parent = 2,
                         .address = {0, 1, 0, 0},
                         .device_class = 0x0302,
                         .vendor = 0x10de,
                         .device = device}};
    return topology;
}

struct SpeedCase {
    const char* name;
    std::uint16_t device;
    double speed;  // GB/s, of GPU and port
    domain::PcieLink link;
};

constexpr double lane3 = 8.0 * 128 / 130 / 8;
constexpr std::uint16_t titan_x = 0x1b00;
constexpr std::uint16_t h100 = 0x2330;

const SpeedCase speed_cases[] = {
    {"sixteen lanes of generation 3",
     titan_x,
     15.753846,
     {8, 16, Bandwidth(16e9 * lane3), true, false}},
    {"sixteen lanes of generation 5",
     h100,
     63.015385,
     {32, 16, Bandwidth(64e9 * lane3), true, false}},
    {"eight lanes of generation 3", titan_x, 7.876923, {8, 8, Bandwidth(8e9 * lane3), true, false}},
    {"idle with sixteen lanes", titan_x, 4, {8, 16, Bandwidth(16e9 * lane3), true, true}},
    {"idle with eight lanes, of a fast kind",
     h100,
     2,
     {32, 8, Bandwidth(32e9 * lane3), true, true}},
    {"not known", titan_x, 0, {8, 16, Bandwidth(16e9 * lane3), true, true}},
    {"no PCIe rate at all", titan_x, 13, {8, 16, Bandwidth(13e9), true, false}},
    {"absurd", titan_x, 1e30, {8, 16, Bandwidth(16e9 * lane3), true, true}},
};

TEST(PcieLinks, AreAssumedFromTheirBandwidth) {
    for (const SpeedCase& one : speed_cases) {
        Topology topology = gpu_under_a_port(one.device);
        find_switches(topology);
        set_links(topology, {4, std::nullopt}, {0, 0, one.speed, one.speed});
        const domain::PcieLink& link = topology.objects[3].uplink;
        EXPECT_EQ(link.gigatransfers, one.link.gigatransfers) << one.name;
        EXPECT_EQ(link.lanes, one.link.lanes) << one.name;
        EXPECT_NEAR(link.bandwidth.count(), one.link.bandwidth.count(), 1) << one.name;
        EXPECT_EQ(link.is_assumed, one.link.is_assumed) << one.name;
        EXPECT_EQ(link.is_usual, one.link.is_usual) << one.name;
        EXPECT_EQ(topology.objects[2].uplink, domain::PcieLink()) << "the port's is the GPU's";
    }
}

// An A100 and a Titan X below a switch, whose own port idles with them.
TEST(PcieLinks, OfSwitchesSleepWithTheirGpus) {
    Topology topology;
    topology.objects = {
        {.kind = ObjectKind::machine},
        {.kind = ObjectKind::host_bridge, .parent = 0},
        {.kind = ObjectKind::bridge, .parent = 1, .is_switch = true},
        {.kind = ObjectKind::gpu,
         .parent = 2,
         .device_class = 0x0300,
         .vendor = 0x10de,
         .device = titan_x},
        {.kind = ObjectKind::gpu,
         .parent = 2,
         .device_class = 0x0302,
         .vendor = 0x10de,
         .device = 0x20b0},
        {.kind = ObjectKind::bridge, .parent = 1, .is_switch = true},
        {.kind = ObjectKind::nic, .parent = 5},
    };
    set_links(topology, std::vector<std::optional<PcieAbility>>(7), {0, 0, 4, 4, 4, 4, 4});
    EXPECT_EQ(topology.objects[2].uplink.gigatransfers, 16) << "as fast as the faster GPU";
    EXPECT_EQ(topology.objects[2].uplink.lanes, 16U);
    EXPECT_TRUE(topology.objects[2].uplink.is_usual);
    EXPECT_EQ(topology.objects[3].uplink.gigatransfers, 8);
    EXPECT_EQ(topology.objects[4].uplink.gigatransfers, 16);
    EXPECT_EQ(topology.objects[5].uplink.gigatransfers, 5) << "NICs do not idle";
    EXPECT_FALSE(topology.objects[5].uplink.is_usual);
    set_links(topology, std::vector<std::optional<PcieAbility>>(7), {0, 0, 15.753846, 4, 4, 4, 4});
    EXPECT_EQ(topology.objects[2].uplink.gigatransfers, 8) << "it is awake";
}

TEST(PcieLinks, OfNicsNeverSleep) {
    Topology topology = gpu_under_a_port(0x10fb);
    topology.objects[3].kind = ObjectKind::nic;
    set_links(topology, {4, std::nullopt}, {0, 0, 4, 4});
    EXPECT_EQ(topology.objects[3].uplink.gigatransfers, 5);
    EXPECT_EQ(topology.objects[3].uplink.lanes, 8u);
    EXPECT_FALSE(topology.objects[3].uplink.is_usual);
}

TEST(PcieLinks, AreAsFastAsBothEndsCan) {
    Topology topology = gpu_under_a_port(titan_x);
    set_links(topology, {std::nullopt, std::nullopt, PcieAbility{8, 8}, PcieAbility{16, 16}},
              {0, 0, 4, 4});
    const domain::PcieLink& link = topology.objects[3].uplink;
    EXPECT_EQ(link.gigatransfers, 8);
    EXPECT_EQ(link.lanes, 8u);
    EXPECT_FALSE(link.is_assumed);
}

TEST(PcieLinks, AlternateBetweenPortsAndSwitches) {
    Topology topology;
    topology.objects = {
        {.kind = ObjectKind::machine},
        {.kind = ObjectKind::host_bridge, .parent = 0},
        {.kind = ObjectKind::bridge, .parent = 1, .address = {0, 0, 1, 0}},  // root port
        {.kind = ObjectKind::bridge, .parent = 2, .address = {0, 1, 0, 0}},  // upstream port
        {.kind = ObjectKind::bridge, .parent = 3, .address = {0, 2, 8, 0}},  // downstream port
        {.kind = ObjectKind::gpu, .parent = 4, .address = {0, 3, 0, 0}},
        {.kind = ObjectKind::bridge, .parent = 1, .address = {0, 0, 2, 0}},  // no port of its own:
        {.kind = ObjectKind::gpu, .parent = 6, .address = {0, 4, 0, 0}},     // two devices below
        {.kind = ObjectKind::gpu, .parent = 6, .address = {0, 4, 1, 0}},
        {.kind = ObjectKind::bridge, .parent = 1, .address = {0, 0, 3, 0}},  // root port
        {.kind = ObjectKind::gpu, .parent = 9, .address = {0, 5, 0, 0}},     // two functions of one
        {.kind = ObjectKind::nic, .parent = 9, .address = {0, 5, 0, 1}},
    };
    find_switches(topology);
    std::vector<std::size_t> switches;
    for (std::size_t i = 0; i < topology.objects.size(); ++i) {
        if (topology.objects[i].is_switch) {
            switches.push_back(i);
        }
    }
    EXPECT_EQ(switches, (std::vector<std::size_t>{3, 6}));
}

class Sysfs : public testing::Test {
  protected:
    Sysfs() : root_(testing::TempDir() + "hora-sysfs") {
        std::filesystem::create_directories(folder());
    }
    ~Sysfs() override { std::filesystem::remove_all(root_); }

    std::string folder() const { return root_ + "/bus/pci/devices/0000:01:00.0"; }
    std::optional<PcieAbility> ability(const char* speed, const char* width) {
        std::ofstream(folder() + "/max_link_speed") << speed;
        std::ofstream(folder() + "/max_link_width") << width;
        return read_ability(root_, {0, 1, 0, 0});
    }

    std::string root_;
};

TEST_F(Sysfs, TellsWhatADeviceCan) {
    const auto now = ability("16.0 GT/s PCIe\n", "16\n");
    ASSERT_TRUE(now);
    EXPECT_EQ(now->gigatransfers, 16);
    EXPECT_EQ(now->lanes, 16u);
    const auto older = ability("8 GT/s\n", "8\n");
    ASSERT_TRUE(older);
    EXPECT_EQ(older->gigatransfers, 8);
}

TEST_F(Sysfs, DoesNotGuess) {
    EXPECT_FALSE(read_ability(root_, {0, 2, 0, 0})) << "no such device";
    EXPECT_FALSE(ability("Unknown\n", "16\n"));
    EXPECT_FALSE(ability("8.0 GT/s PCIe\n", "255\n")) << "what the kernel writes for unknown";
    EXPECT_FALSE(ability("8.0 GT/s PCIe\n", "0\n"));
    EXPECT_FALSE(ability("7.0 GT/s PCIe\n", "16\n"));
}

struct DeviceCase {
    const char* name;
    PciIdentity identity;
    bool is_gpu;
};

const DeviceCase device_cases[] = {
    {"a 3D controller of anybody", {0x0302, 0x1234, 0x1}, true},
    {"a display of NVIDIA", {0x0300, 0x10de, 0x1b00}, true},
    {"a display of AMD without a connector", {0x0380, 0x1002, 0x740f}, true},
    {"an accelerator of AMD", {0x1200, 0x1002, 0x74a1}, true},
    {"an accelerator of somebody else", {0x1200, 0x1da3, 0x1020}, false},
    {"a data-centre GPU of Intel", {0x0380, 0x8086, 0x0bd5}, true},
    {"the graphics in a processor of Intel", {0x0380, 0x8086, 0x3e98}, false},
    {"ASPEED", {0x0300, 0x1a03, 0x2000}, false},
    {"Matrox", {0x0300, 0x102b, 0x0538}, false},
    {"ATI's graphics for servers", {0x0300, 0x1002, 0x515e}, false},
    {"sound of NVIDIA", {0x0403, 0x10de, 0x10f0}, false},
};

TEST(PciDevice, TellsGpusFromOtherGraphics) {
    for (const DeviceCase& one : device_cases) {
        EXPECT_EQ(is_gpu(one.identity), one.is_gpu) << one.name;
    }
}

TEST(PciDevice, KnowsNicsAndNvswitches) {
    EXPECT_TRUE(is_nic({0x0200, 0x8086, 0x1521}));
    EXPECT_TRUE(is_nic({0x0207, 0x15b3, 0x1017}));
    EXPECT_FALSE(is_nic({0x0108, 0x144d, 0xa808}));
    EXPECT_TRUE(is_nvswitch({0x0680, 0x10de, 0x1af1}));
    EXPECT_FALSE(is_nvswitch({0x0680, 0x8086, 0x1521}));
}

}  // namespace
}  // namespace hora::read
