#include "libplanner/read/topology.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "libplanner/read/device_catalog.hpp"

namespace hora::read {
namespace {

using domain::PartKind;

std::string pci(const std::string& busid, const std::string& type, const std::string& speed) {
    return "<object type=\"PCIDev\" gp_index=\"" + std::to_string(std::hash<std::string>()(busid)) +
           "\" pci_busid=\"" + busid + "\" pci_type=\"" + type + "\" pci_link_speed=\"" + speed +
           "\"/>";
}

std::string bridge(const std::string& buses, const std::string& busid, const std::string& inner) {
    return "<object type=\"Bridge\" bridge_type=\"1-1\" depth=\"1\" bridge_pci=\"0000:[" + buses +
           "]\" pci_busid=\"" + busid + "\" pci_type=\"0604 [10b5:8747] [10b5:8747] ca\" " +
           "pci_link_speed=\"15.753846\">" + inner + "</object>";
}

// One socket, whose host bridge leads to what is given.
std::string machine(const std::string& devices) {
    const std::string sets =
        " cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\"";
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">"
           "<object type=\"Machine\" os_index=\"0\" allowed_cpuset=\"0x1\" "
           "allowed_nodeset=\"0x1\"" +
           sets + " gp_index=\"1\"><object type=\"Package\" os_index=\"0\" gp_index=\"2\"" + sets +
           "><object type=\"NUMANode\" os_index=\"0\" gp_index=\"3\" local_memory=\"1\"" + sets +
           "/><object type=\"PU\" os_index=\"0\" gp_index=\"4\"" + sets +
           "/></object><object type=\"Bridge\" gp_index=\"5\" bridge_type=\"0-1\" depth=\"0\" "
           "bridge_pci=\"0000:[00-ff]\">" +
           devices + "</object></object></topology>\n";
}

class TopologyFile : public testing::Test {
  protected:
    Expected<NodeLayout> read(const std::string& xml, std::string_view device = "titanx") {
        const std::string path = testing::TempDir() + "hora-topology-" +
                                 testing::UnitTest::GetInstance()->current_test_info()->name() +
                                 ".xml";
        std::ofstream(path) << xml;
        auto layout = read_topology_layout(path, *find_device(known_devices(), device));
        std::remove(path.c_str());
        return layout;
    }
};

const char* const nvidia = "0302 [10de:1b00] [10de:119a] a1";
const char* const nvidia_display = "0300 [10de:1b00] [10de:119a] a1";
const char* const matrox = "0300 [102b:0532] [102b:0532] 0a";
const char* const aspeed = "0300 [1a03:2000] [1a03:2000] 30";

// Four GPUs on two switches, and the graphics of the management controller.
std::string two_switches(const std::string& speed) {
    return machine(bridge("02-03", "0000:00:01.0",
                          pci("0000:02:00.0", nvidia, speed) + pci("0000:03:00.0", nvidia, speed)) +
                   bridge("04-05", "0000:00:02.0",
                          pci("0000:04:00.0", nvidia_display, speed) +
                              pci("0000:05:00.0", nvidia_display, speed)) +
                   pci("0000:06:00.0", matrox, "0.25") + pci("0000:07:00.0", aspeed, "0.25"));
}

TEST_F(TopologyFile, GroupsGpusBySwitch) {
    const auto layout = read(two_switches("15.753846"));
    ASSERT_TRUE(layout) << layout.error().message;
    EXPECT_EQ(layout->group_of, (std::vector<std::uint32_t>{1, 1, 2, 2}));
    ASSERT_EQ(layout->groups.size(), 3u);
    EXPECT_EQ(layout->groups[0].kind, PartKind::node);
    EXPECT_EQ(layout->groups[1].kind, PartKind::pcie_switch);
    EXPECT_EQ(layout->groups[1].name, "switch0");
    EXPECT_NEAR(layout->groups[1].link.bandwidth.count(), 12e9, 1e7)
        << "of 15.75, by NCCL's figures";
}

TEST_F(TopologyFile, TakesTheSlowestLinkOnTheWay) {
    const auto layout = read(two_switches("7.876923"));
    ASSERT_TRUE(layout);
    EXPECT_NEAR(layout->groups[1].link.bandwidth.count(), 6e9, 1e7);
}

TEST_F(TopologyFile, KnowsThatIdleLinksSleep) {
    const auto layout = read(two_switches("4.000000"));
    ASSERT_TRUE(layout);
    EXPECT_NEAR(layout->groups[1].link.bandwidth.count(), 12e9, 1e7) << "sixteen lanes at 2.5 GT/s";
}

TEST_F(TopologyFile, TakesTheDevicesOwnLinkWhereTheFileHasNone) {
    const auto layout = read(two_switches("0.000000"), "l40s");
    ASSERT_TRUE(layout);
    EXPECT_NEAR(layout->groups[1].link.bandwidth.count(), 24e9, 1e7);
    EXPECT_NEAR(layout->groups[0].link.bandwidth.count(), 12e9, 1e7) << "the switches' uplinks";
}

TEST_F(TopologyFile, PrefersNvlink) {
    const auto layout = read(two_switches("15.753846"), "v100");
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->groups[0].link.bandwidth, Bandwidth(150e9));
    EXPECT_EQ(layout->groups.size(), 3u) << "the switches still say which GPUs are near";
}

TEST_F(TopologyFile, TakesASingleGpu) {
    const auto layout = read(machine(pci("0000:02:00.0", nvidia, "15.753846")));
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->group_of, (std::vector<std::uint32_t>{0}));
}

TEST_F(TopologyFile, RefusesWhatIsNone) {
    const auto text = read("hello");
    ASSERT_FALSE(text);
    EXPECT_NE(text.error().message.find("is no hwloc XML"), std::string::npos);
    const auto none = read(machine(pci("0000:06:00.0", matrox, "0.25")));
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("has no GPU"), std::string::npos);
}

}  // namespace
}  // namespace hora::read
