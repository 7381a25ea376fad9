#include "libplanner/read/cluster/site_layout.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "libplanner/model/links/path.hpp"
#include "libplanner/read/machine/device_catalog.hpp"
#include "tests/unit/model/meshes.hpp"

namespace hora::read {
namespace {

using Sockets = std::vector<std::uint32_t>;

// "0 across 10 GB/s, inside 12 GB/s": the group of each GPU and the bandwidths.
std::string words_of(const NodeLayout& layout) {
    std::string text;
    for (const std::uint32_t group : layout.group_of) {
        text += fmt::format("{}", group);
    }
    for (const GpuGroup& group : layout.groups) {
        text += fmt::format(" {}{:.1f}", group.name.empty() ? "" : group.name + " ",
                            group.link.bandwidth.count() / 1e9);
    }
    return text;
}

SlurmNode node_of(const char* type, const char* gres) {
    SlurmNode node;
    node.gpus.assign(4, find_device(known_devices(), type));
    node.gres = parse_gres_conf(gres).gpus_of("n1");
    node.sockets = 2;
    node.cores_per_socket = 4;
    return node;
}

constexpr const char* two_and_two =
    "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\nName=gpu File=/dev/nvidia[2-3] Cores=4-7\n";
constexpr const char* everywhere = "Name=gpu File=/dev/nvidia[0-3] Cores=0-7\n";

struct Case {
    const char* sentence;
    const char* type;
    const char* gres;
    NodeInside inside;
    Sockets slurm_sockets;  // what Slurm says itself
    const char* layout;
    Sockets gpu_sockets;
    const char* problem;
};

NodeInside on_switches(std::uint32_t switches) {
    NodeInside inside;
    inside.pcie = {switches, Bandwidth(5.96e9), Bandwidth(4.46e9), "hora.toml:3:8", ""};
    return inside;
}

NodeInside with_link(double bandwidth) {
    NodeInside inside;
    inside.link = Bandwidth(bandwidth);
    return inside;
}

const Case cases[] = {
    {"nothing is known", "titanx", "", {}, {}, "0000 12.0", {}, ""},
    {"cores by socket make groups",
     "titanx",
     two_and_two,
     {},
     {0, 1},
     "1122 10.0 socket0 12.0 socket1 12.0",
     {0, 0, 1, 1},
     ""},
    {"NVLink passes the sockets by",
     "h100",
     two_and_two,
     {},
     {0, 1},
     "0000 360.0",
     {0, 0, 1, 1},
     ""},
    {"cores of all sockets say nothing", "titanx", everywhere, {}, {0, 1}, "0000 12.0", {}, ""},
    {"all GPUs on one socket are one group",
     "titanx",
     "Name=gpu File=/dev/nvidia[0-3] Cores=0-3\n",
     {},
     {0},
     "0000 12.0",
     {0, 0, 0, 0},
     ""},
    {"the site knows better",
     "titanx",
     two_and_two,
     on_switches(2),
     {0, 1},
     "1122 4.5 switch0 6.0 switch1 6.0",
     {0, 0, 1, 1},
     ""},
    {"the site knows, gres.conf not",
     "titanx",
     "",
     on_switches(2),
     {},
     "1122 4.5 switch0 6.0 switch1 6.0",
     {},
     ""},
    {"one link for all",
     "titanx",
     two_and_two,
     with_link(3e9),
     {0, 1},
     "0000 3.0",
     {0, 0, 1, 1},
     ""},
    {"more switches than GPUs",
     "titanx",
     two_and_two,
     on_switches(8),
     {0, 1},
     "0000 12.0",
     {},
     "hora.toml:3:8: 4 GPUs cannot be on 8 switches"},
    {"another number of GPUs",
     "titanx",
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\n",
     {},
     {0},
     "0000 12.0",
     {},
     "gres.conf gives it 2 GPUs, Slurm 4"},
    {"Slurm runs with other cores",
     "titanx",
     two_and_two,
     {},
     {0},
     "0000 12.0",
     {},
     "the Cores= that gres.conf gives its GPUs are not those that Slurm runs with; restart its "
     "slurmd, or correct the file"},
};

TEST(SiteLayout, IsWhatTheSiteSaysOrGresConf) {
    for (const Case& test : cases) {
        SlurmNode node = node_of(test.type, test.gres);
        node.gpu_sockets = test.slurm_sockets;
        const SiteLayout found = site_layout(node, {&test.inside, nullptr});
        EXPECT_EQ(words_of(found.layout), test.layout) << test.sentence;
        EXPECT_EQ(found.gpu_sockets, test.gpu_sockets) << test.sentence;
        EXPECT_EQ(found.problem, test.problem) << test.sentence;
    }
}

// P4's box: four GPUs on two switches, one on each socket, at 02:00.0, 03:00.0, 82:00.0, 83:00.0.
domain::Topology some_box() {
    domain::Topology topology;
    topology.sockets = 2;
    topology.objects.push_back({});
    for (std::uint32_t socket = 0; socket < 2; ++socket) {
        domain::TopologyObject object;
        object.kind = domain::ObjectKind::socket;
        object.parent = 0;
        object.os_index = socket;
        topology.objects.push_back(object);
        object.kind = domain::ObjectKind::bridge;
        object.is_switch = true;
        object.parent = static_cast<std::uint32_t>(topology.objects.size() - 1);
        topology.objects.push_back(object);
        const auto bridge = static_cast<std::uint32_t>(topology.objects.size() - 1);
        for (std::uint8_t i = 0; i < 2; ++i) {
            domain::TopologyObject gpu;
            gpu.kind = domain::ObjectKind::gpu;
            gpu.parent = bridge;
            gpu.address.bus = static_cast<std::uint8_t>(socket * 0x80 + 2 + i);
            topology.gpus.push_back({.object = static_cast<std::uint32_t>(topology.objects.size()),
                                     .numa = domain::not_known,
                                     .socket = socket,
                                     .bridge = bridge,
                                     .cpus = {}});
            topology.objects.push_back(gpu);
        }
    }
    model::find_paths(topology);
    return topology;
}

struct TopologyCase {
    const char* sentence;
    const char* gres;
    Sockets slurm_sockets;
    const char* groups;
    Sockets gpu_sockets;
    const char* problem;
};

const TopologyCase topology_cases[] = {
    {"in the order of the bus", "", {}, "1122", {}, ""},
    {"Slurm detects the sockets", "", {0, 1}, "1122", {0, 0, 1, 1}, ""},
    {"Slurm detects other sockets", "", {0}, "1122", {}, ""},
    {"gres.conf has the cores", two_and_two, {0, 1}, "1122", {0, 0, 1, 1}, ""},
    {"bus ids say which GPU is which",
     "# nvidia0 0000:02:00.0\n# nvidia1 0000:82:00.0\n# nvidia2 0000:03:00.0\n# nvidia3 "
     "0000:83:00.0\nName=gpu File=/dev/nvidia[0-3]\n",
     {0, 1},
     "1212",
     {0, 1, 0, 1},
     ""},
    {"a bus id of another machine",
     "# nvidia0 0000:34:00.0\nName=gpu File=/dev/nvidia0\nName=gpu File=/dev/nvidia[1-3]\n",
     {},
     "0000",
     {},
     "\"box.xml\" has no GPU at 0000:34:00.0, which gres.conf:2 notes for \"/dev/nvidia0\""},
    {"one bus id twice",
     "# nvidia0 0000:03:00.0\nName=gpu File=/dev/nvidia[0-3]\n",
     {},
     "0000",
     {},
     "gres.conf notes a bus id for two GPUs, or for some GPUs only"},
};

TEST(SiteLayout, FollowsATopologyThatCanBeOfTheNode) {
    const Expected<domain::Topology> box = some_box();
    NodeInside inside;
    inside.topology = "box.xml";
    for (const TopologyCase& test : topology_cases) {
        SlurmNode node = node_of("titanx", test.gres);
        node.gpu_sockets = test.slurm_sockets;
        const SiteLayout found = site_layout(node, {&inside, &box});
        EXPECT_EQ(words_of(found.layout).substr(0, 4), test.groups) << test.sentence;
        EXPECT_EQ(found.gpu_sockets, test.gpu_sockets) << test.sentence;
        EXPECT_EQ(found.problem, test.problem) << test.sentence;
    }
    SlurmNode larger = node_of("titanx", "");
    larger.gpus.resize(8, larger.gpus[0]);
    EXPECT_EQ(site_layout(larger, {&inside, &box}).problem, "\"box.xml\" has 4 GPUs, Slurm 8");
}

// Slurm's nvidia0 is the mesh's last GPU, and nvidia7 its first.
TEST(SiteLayout, HasAMeshInTheOrderOfSlurm) {
    const Expected<domain::Topology> mesh = tests::dgx1v();
    NodeInside inside;
    inside.topology = "mesh.xml";
    SlurmNode node = node_of("v100",
                             "# nvidia0 0000:88:00.0\n# nvidia1 0000:02:00.0\n"
                             "# nvidia2 0000:03:00.0\n# nvidia3 0000:04:00.0\n"
                             "# nvidia4 0000:85:00.0\n# nvidia5 0000:86:00.0\n"
                             "# nvidia6 0000:87:00.0\n# nvidia7 0000:01:00.0\n"
                             "Name=gpu File=/dev/nvidia[0-7]\n");
    node.gpus.assign(8, node.gpus[0]);
    const SiteLayout found = site_layout(node, {&inside, &mesh});
    EXPECT_EQ(found.problem, "");
    ASSERT_TRUE(found.layout.mesh.has_value());
    const std::vector<Bandwidth>& sets = found.layout.mesh->bandwidths;
    EXPECT_EQ(sets[0b11111111], Bandwidth(120e9));
    EXPECT_EQ(sets[0b10001110], Bandwidth(80e9)) << "the mesh's 0-3";
    EXPECT_EQ(sets[0b00001111], Bandwidth(20e9)) << "the mesh's 1-3 and 7";
    EXPECT_EQ(sets[0b10001000], Bandwidth(40e9)) << "the mesh's 0 and 3";
    node.gpus[3] = find_device(known_devices(), "titanx");
    EXPECT_FALSE(site_layout(node, {&inside, &mesh}).layout.mesh.has_value())
        << "GPUs of several types";
}

TEST(SiteLayout, IsFlatWhereTheTopologyCannotBeRead) {
    const Expected<domain::Topology> damaged = failure("\"box.xml\" is no hwloc XML");
    NodeInside inside;
    inside.topology = "box.xml";
    const SiteLayout found = site_layout(node_of("titanx", two_and_two), {&inside, &damaged});
    EXPECT_EQ(words_of(found.layout), "0000 12.0");
    EXPECT_EQ(found.gpu_sockets, Sockets());
    EXPECT_EQ(found.problem, "\"box.xml\" is no hwloc XML");
}

TEST(SiteLayout, TakesTheSlowestOfSeveralTypesAndLeavesUnknownOnesOut) {
    SlurmNode node = node_of("h100", "");
    const domain::Device unknown;
    node.gpus[1] = find_device(known_devices(), "titanx");
    node.gpus[2] = &unknown;
    EXPECT_EQ(words_of(site_layout(node, {}).layout), "0000 12.0");
    node.gpus.clear();
    EXPECT_TRUE(site_layout(node, {}).layout.group_of.empty());
}

}  // namespace
}  // namespace hora::read
