#include "libplanner/read/site_layout.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "libplanner/read/device_catalog.hpp"

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
    {"nothing is known", "titanx", "", {}, {}, "0000 15.8", {}, ""},
    {"cores by socket make groups",
     "titanx",
     two_and_two,
     {},
     {0, 1},
     "1122 10.0 socket0 15.8 socket1 15.8",
     {0, 0, 1, 1},
     ""},
    {"NVLink passes the sockets by",
     "h100",
     two_and_two,
     {},
     {0, 1},
     "0000 450.0",
     {0, 0, 1, 1},
     ""},
    {"cores of all sockets say nothing", "titanx", everywhere, {}, {0, 1}, "0000 15.8", {}, ""},
    {"all GPUs on one socket are one group",
     "titanx",
     "Name=gpu File=/dev/nvidia[0-3] Cores=0-3\n",
     {},
     {0},
     "0000 15.8",
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
     "0000 15.8",
     {},
     "hora.toml:3:8: 4 GPUs cannot be on 8 switches"},
    {"another number of GPUs",
     "titanx",
     "Name=gpu File=/dev/nvidia[0-1] Cores=0-3\n",
     {},
     {0},
     "0000 15.8",
     {},
     "gres.conf gives it 2 GPUs, Slurm 4"},
    {"Slurm runs with other cores",
     "titanx",
     two_and_two,
     {},
     {0},
     "0000 15.8",
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

TEST(SiteLayout, TakesTheSlowestOfSeveralTypesAndLeavesUnknownOnesOut) {
    SlurmNode node = node_of("h100", "");
    const domain::Device unknown;
    node.gpus[1] = find_device(known_devices(), "titanx");
    node.gpus[2] = &unknown;
    EXPECT_EQ(words_of(site_layout(node, {}).layout), "0000 15.8");
    node.gpus.clear();
    EXPECT_TRUE(site_layout(node, {}).layout.group_of.empty());
}

}  // namespace
}  // namespace hora::read
