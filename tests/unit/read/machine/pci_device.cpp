// Which PCI devices are GPUs, NICs and NVSwitches, and what is usual of them?
#include "libplanner/read/machine/pci_device.hpp"

#include <gtest/gtest.h>

namespace hora::read {
namespace {

constexpr std::uint16_t amd = 0x1002;
constexpr std::uint16_t nvidia = 0x10de;
constexpr std::uint16_t intel = 0x8086;

struct Case {
    const char* sentence;
    PciIdentity identity;
    bool is_gpu;
    bool is_nic;
    bool is_nvswitch;
};

const Case cases[] = {
    {"an A100", {0x0302, nvidia, 0x20b2}, true, false, false},
    {"a GPU with a display", {0x0300, nvidia, 0x1b06}, true, false, false},
    {"a 3D controller of anybody's", {0x0302, 0x1234, 1}, true, false, false},
    {"an AMD GPU", {0x0380, amd, 0x740f}, true, false, false},
    {"one that calls itself an accelerator", {0x1200, amd, 0x74a1}, true, false, false},
    {"another accelerator of AMD's", {0x1200, amd, 0x1234}, false, false, false},
    {"an accelerator of others", {0x1200, nvidia, 0x20b2}, false, false, false},
    {"old server graphics of ATI", {0x0300, amd, 0x515e}, false, false, false},
    {"a management controller's graphics", {0x0300, 0x1a03, 0x2000}, false, false, false},
    {"what Intel puts into processors", {0x0300, intel, 0x3e98}, false, false, false},
    {"as a 3D controller too", {0x0302, intel, 0x3e98}, false, false, false},
    {"a data-centre GPU of Intel's", {0x0380, intel, 0x0bd5}, true, false, false},
    {"the first and the last of a family", {0x0380, intel, 0x0bd0}, true, false, false},
    {"one past it", {0x0380, intel, 0x0be0}, false, false, false},
    {"ethernet", {0x0200, intel, 1}, false, true, false},
    {"another network", {0x0280, intel, 1}, false, true, false},
    {"InfiniBand", {0x0207, 0x15b3, 1}, false, true, false},
    {"InfiniBand as a serial bus", {0x0c06, 0x15b3, 1}, false, true, false},
    {"another serial bus", {0x0c03, 0x15b3, 1}, false, false, false},
    {"an NVSwitch", {0x0680, nvidia, 0x1af1}, false, false, true},
    {"a bridge of others", {0x0680, intel, 0x1af1}, false, false, false},
    {"nothing", {}, false, false, false},
};

TEST(PciDevice, IsToldByClassAndMaker) {
    for (const Case& test : cases) {
        EXPECT_EQ(is_gpu(test.identity), test.is_gpu) << test.sentence;
        EXPECT_EQ(is_nic(test.identity), test.is_nic) << test.sentence;
        EXPECT_EQ(is_nvswitch(test.identity), test.is_nvswitch) << test.sentence;
    }
}

TEST(PciDevice, IsOnABoardWithNvlinkOrACard) {
    EXPECT_EQ(is_on_nvlink_board({0x0302, nvidia, 0x20b2}), true) << "A100 SXM4";
    EXPECT_EQ(is_on_nvlink_board({0x0302, nvidia, 0x20f1}), false) << "A100 PCIe";
    EXPECT_EQ(is_on_nvlink_board({0x0302, nvidia, 0x1db4}), false) << "V100 PCIe";
    EXPECT_EQ(is_on_nvlink_board({0x0302, nvidia, 0x1eb8}), std::nullopt) << "T4 has none";
    EXPECT_EQ(is_on_nvlink_board({0x0380, amd, 0x740f}), std::nullopt);
}

TEST(PciDevice, HasWhatIsUsualOfItsFamily) {
    struct Usual {
        PciIdentity identity;
        double gigatransfers;
        double nvlink;
    };
    const Usual rows[] = {
        {{0x0302, nvidia, 0x15f8}, 8, 80e9},   {{0x0302, nvidia, 0x1db1}, 8, 150e9},
        {{0x0302, nvidia, 0x20b0}, 16, 300e9}, {{0x0302, nvidia, 0x20ff}, 16, 300e9},
        {{0x0302, nvidia, 0x2100}, 8, 0},      {{0x0302, nvidia, 0x2330}, 32, 450e9},
        {{0x0302, nvidia, 0x2230}, 16, 0},     {{0x0302, amd, 0x2330}, 8, 0},
        {{0x0380, amd, 0x740f}, 16, 0},        {{0x0380, amd, 0x74a1}, 32, 0},
    };
    for (const Usual& test : rows) {
        EXPECT_EQ(usual_gigatransfers(test.identity), test.gigatransfers) << test.identity.device;
        EXPECT_EQ(usual_nvlink(test.identity).count(), test.nvlink) << test.identity.device;
    }
}

}  // namespace
}  // namespace hora::read
