#include "libplanner/read/cluster/topology.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "libplanner/read/cluster/node_layout.hpp"
#include "libplanner/read/machine/device_catalog.hpp"
#include "tests/unit/read/some_topology.hpp"
#include "tests/unit/sanitized.hpp"

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
    EXPECT_EQ(layout->groups[0].link.bandwidth, Bandwidth(120e9)) << "four fifths of 150";
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

TEST_F(TopologyFile, SaysWhichVersionItCannotRead) {
    std::string xml = two_switches("15.753846");
    xml.replace(xml.find("version=\"2.0\""), 13, "version=\"3.0\"");
    const auto newer = read(xml);
    ASSERT_FALSE(newer);
    EXPECT_NE(newer.error().message.find("was written by hwloc \"3.0\", and this is hwloc 2"),
              std::string::npos);
}

TEST_F(TopologyFile, SurvivesWhatBreaksHwloc) {
    std::string xml = two_switches("15.753846");
    for (std::size_t at = 0; (at = xml.find(" cpuset=", at)) != std::string::npos;) {
        xml.replace(at, 8, " gpuset=");
    }
    EXPECT_FALSE(read(xml));
    std::string deep;
    for (int i = 0; i < 100'000; ++i) {
        deep += "<object type=\"Group\">";
    }
    const auto nested = read("<topology version=\"2.0\">" + deep);
    ASSERT_FALSE(nested);
    EXPECT_NE(nested.error().message.find("nested too deep"), std::string::npos);
}

TEST_F(TopologyFile, CountsSocketsThatTheSystemDoesNot) {
    std::string xml = two_switches("15.753846");
    const std::string numbered = "\"Package\" os_index=\"0\"";
    xml.replace(xml.find(numbered), numbered.size(), "\"Package\"");
    const auto topology = read_topology_xml(xml);
    ASSERT_TRUE(topology) << topology.error().message;
    EXPECT_EQ(topology->objects[1].os_index, 0u);
}

TEST_F(TopologyFile, NamesABusIdThatIsThereTwice) {
    std::string xml = two_switches("15.753846");
    xml.replace(xml.find("0000:03:00.0"), 12, "0000:02:00.0");
    const auto twice = read(xml);
    ASSERT_FALSE(twice);
    EXPECT_NE(twice.error().message.find("has two devices at \"0000:02:00.0\""), std::string::npos);
}

TEST_F(TopologyFile, NamesABusIdThatIsNoPlaceOnPcie) {
    for (const char* const place : {"0000:03:81.0", "0000:03:00.8"}) {
        std::string xml = two_switches("15.753846");
        xml.replace(xml.find("0000:03:00.0"), 12, place);
        const auto read_back = read(xml);
        ASSERT_FALSE(read_back) << place;
        EXPECT_NE(read_back.error().message.find("has a device at \"" + std::string(place) +
                                                 "\", which is no place on PCIe"),
                  std::string::npos)
            << read_back.error().message;
    }
}

struct MachineCase {
    const char* name;
    std::size_t gpus;
    std::size_t nics;
    domain::PathKind first_two;
    double gigabytes;
    std::size_t groups;
};

const MachineCase machine_cases[] = {
    {"amd", 4, 2, domain::PathKind::nvlink, 80, 3},
    {"four-switches", 8, 4, domain::PathKind::pix, 12, 7},
    {"management-graphics", 2, 1, domain::PathKind::sys, 16, 1},
    {"nvswitch", 8, 8, domain::PathKind::nvlink, 240, 7},
    {"one-socket-four-switches", 8, 0, domain::PathKind::pix, 24, 7},
    {"two-switches-one-socket", 4, 1, domain::PathKind::pix, 12, 3},
    {"two-switches-two-sockets", 4, 1, domain::PathKind::pix, 12, 3},
    {"virtual", 4, 1, domain::PathKind::phb, 10, 1},
    {"virtual-sxm", 4, 1, domain::PathKind::nvlink, 240, 1},
};

TEST(TopologyMachines, AreReadAsTheyAre) {
    for (const MachineCase& one : machine_cases) {
        const domain::Topology topology = some_topology(one.name);
        ASSERT_EQ(topology.gpus.size(), one.gpus) << one.name;
        EXPECT_EQ(topology.nics.size(), one.nics) << one.name;
        EXPECT_EQ(topology.path(0, 1).kind, one.first_two) << one.name;
        EXPECT_DOUBLE_EQ(topology.path(0, 1).bandwidth.count() / 1e9, one.gigabytes) << one.name;
        EXPECT_EQ(layout_of(topology, *find_device(known_devices(), "titanx")).groups.size(),
                  one.groups)
            << one.name;
    }
    const domain::Topology none = some_topology("no-gpu");
    EXPECT_TRUE(none.gpus.empty());
    EXPECT_EQ(none.nics.size(), 1u);
}

TEST(TopologyMachines, GiveThePlannerWhatThePictureShows) {
    for (const MachineCase& one : machine_cases) {
        const domain::Topology topology = some_topology(one.name);
        const NodeLayout layout = layout_of(topology, *find_device(known_devices(), "t4"));
        const auto covers = [&](std::uint32_t group, std::uint32_t gpu) {
            std::uint32_t at = layout.group_of[gpu];
            while (at != group && at != domain::no_part) {
                at = layout.groups[at].parent;
            }
            return at == group;
        };
        for (std::uint32_t group = 0; group < layout.groups.size(); ++group) {
            Bandwidth slowest{1e30};
            for (std::uint32_t a = 0; a < one.gpus; ++a) {
                for (std::uint32_t b = 0; b < a; ++b) {
                    if (covers(group, a) && covers(group, b)) {
                        slowest = std::min(slowest, topology.path(a, b).bandwidth);
                    }
                }
            }
            // NCCL's channels have the next lower speed of its list, where they use NVLinks as
            // well.
            const double share = layout.groups[group].link.bandwidth / slowest;
            EXPECT_LE(share, 1.001) << one.name << " " << group;
            EXPECT_GE(share, topology.nvlinks.empty() ? 0.999 : 0.93) << one.name << " " << group;
        }
    }
}

TEST(TopologyMachines, KnowWhereTheirGpusAre) {
    const domain::Topology topology = some_topology("two-switches-two-sockets");
    ASSERT_EQ(topology.gpus.size(), 4u);
    EXPECT_EQ(topology.host, "p4b");
    EXPECT_EQ(topology.sockets, 2u);
    EXPECT_EQ(topology.cores_per_socket, 8u);
    EXPECT_EQ(topology.threads_per_core, 2u);
    EXPECT_EQ(topology.processor.model, 79u);
    EXPECT_EQ(topology.gpus[2].numa, 1u);
    EXPECT_EQ(topology.gpus[2].socket, 1u);
    EXPECT_EQ(topology.gpus[2].bridge, topology.gpus[3].bridge);
    EXPECT_EQ(topology.gpus[2].cpus.front(), 8u);
    ASSERT_EQ(topology.cores.size(), 16u);
    EXPECT_EQ(topology.cores[8].cpus, (std::vector<std::uint32_t>{8, 24}));
    EXPECT_EQ(topology.cores[8].socket, 1u);
}

TEST(LocalTopology, IsRead) {
    // libpciaccess, which hwloc loads and unloads, keeps what it has found.
    const tests::LeaksOfOthers not_ours;
    const auto topology = read_local_topology("/nowhere");
    ASSERT_TRUE(topology) << topology.error().message;
    EXPECT_FALSE(topology->objects.empty());
}

}  // namespace
}  // namespace hora::read
