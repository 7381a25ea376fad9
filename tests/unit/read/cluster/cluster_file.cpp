#include "libplanner/read/cluster/cluster_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "libplanner/read/cluster/topology.hpp"
#include "libplanner/read/machine/device_catalog.hpp"

namespace hora::read {
namespace {

using domain::Cluster;
using domain::DataType;

Expected<NodeLayout> four_on_two_switches(const std::string&, const domain::Device& device) {
    return switched_layout(4, 2, pcie_link(device.pcie), pcie_link(Bandwidth(4e9)));
}

Expected<Cluster> read(std::string_view toml) {
    return read_cluster(toml, "c.toml", Settings(), &four_on_two_switches);
}

TEST(ClusterFile, ReadsTheUnequalNodesOfThePaper) {
    const auto cluster = read(
        "version = 1\n[network]\nbandwidth = '100 Mbit/s'\nlatency = '50 us'\n"
        "[gpu.gtx1080]\npeak = { fp32 = '6.1 TFLOP/s' }\nmemory_bandwidth = '352 GB/s'\n"
        "[[node]]\nname = 'a'\ngpu = 'gtx1080'\noverhead = '3 s'\n"
        "[[node]]\nname = 'b[1-2]'\ngpu = 'gtx970'\ncount = 1\ncpus = 8\n");
    ASSERT_TRUE(cluster) << cluster.error().message;
    ASSERT_EQ(cluster->gpus.size(), 3u);
    EXPECT_EQ(cluster->nodes[0].overhead, Seconds(3));
    EXPECT_EQ(cluster->nodes[2].name, "b2");
    EXPECT_EQ(cluster->nodes[2].cpus, 8u);
    EXPECT_EQ(cluster->parts[0].link, (domain::Link{Bandwidth(12.5e6), Seconds(50e-6)}));
    const domain::Device& first = cluster->devices[cluster->gpus[0].device];
    EXPECT_EQ(first.peak_for(DataType::fp32), FlopRate(6.1e12));
}

TEST(ClusterFile, ReadsPairsOnPcieSwitches) {
    const auto cluster = read(
        "[[node]]\nname = 'box'\ngpu = 'titanx'\ncount = 4\nbusy = [1]\n"
        "pcie = { switches = 2, inside = '5.96 GB/s', across = '4.46 GB/s' }\n");
    ASSERT_TRUE(cluster) << cluster.error().message;
    ASSERT_EQ(cluster->parts.size(), 3u);
    EXPECT_EQ(cluster->parts[0].link.bandwidth, Bandwidth(4.46e9));
    EXPECT_EQ(cluster->parts[1].link.bandwidth, Bandwidth(5.96e9));
    EXPECT_EQ(cluster->gpus[0].part, cluster->gpus[1].part);
    EXPECT_NE(cluster->gpus[1].part, cluster->gpus[2].part);
    EXPECT_FALSE(cluster->gpus[1].is_free);
}

TEST(ClusterFile, TakesNvlinkWhereTheDeviceHasIt) {
    const auto cluster = read("[[node]]\nname = 'n[1-2]'\ngpu = 'h100'\ncount = 8\n");
    ASSERT_TRUE(cluster);
    EXPECT_EQ(cluster->parts[cluster->gpus[3].part].link.bandwidth, Bandwidth(360e9))
        << "four fifths of 450";
}

TEST(ClusterFile, ReadsAFabric) {
    const auto cluster = read(
        "[network]\nbandwidth = '100 Gbit/s'\n[[switch]]\nname = 'leaf1'\nparent = 'spine'\n"
        "[[switch]]\nname = 'leaf2'\nparent = 'spine'\n"
        "[[switch]]\nname = 'spine'\nbandwidth = '25 Gbit/s'\nlatency = '30 us'\n"
        "[[node]]\nname = 'a[1-2]'\ngpu = 't4'\nswitch = 'leaf1'\n"
        "[[node]]\nname = 'b[1-2]'\ngpu = 't4'\nswitch = 'leaf2'\ntopology = 'box.xml'\n");
    ASSERT_TRUE(cluster) << cluster.error().message;
    EXPECT_EQ(cluster->parts[0].name, "spine");
    EXPECT_EQ(cluster->parts[0].link, (domain::Link{Bandwidth(25e9 / 8), Seconds(30e-6)}));
    EXPECT_EQ(cluster->parts[1].name, "leaf1");
    EXPECT_EQ(cluster->parts[1].link.bandwidth, Bandwidth(12.5e9));
    EXPECT_EQ(cluster->gpus.size(), 10u) << "the topology file says how many there are";
}

TEST(ClusterFile, LetsLeavesStandInNodesOnly) {
    const auto cluster = read(
        "[[node]]\nname = 'a[1-2]'\ngpu = 't4'\nswitch = 'leaf1'\n"
        "[[node]]\nname = 'b[1-2]'\ngpu = 't4'\nswitch = 'leaf2'\n");
    ASSERT_TRUE(cluster) << cluster.error().message;
    EXPECT_EQ(cluster->parts[0].name, "network");
    EXPECT_EQ(cluster->parts[1].name, "leaf1");
}

struct Refusal {
    const char* sentence;
    const char* toml;
    const char* message;
};

const Refusal refusals[] = {
    {"an empty file", "", "c.toml: no [[node]] table says which machines there are"},
    {"a slip in a key", "[[node]]\nname = 'a'\ngpu = 't4'\ncuont = 2\n",
     "c.toml:4:1: unknown key \"cuont\"; did you mean \"count\"?"},
    {"an unknown GPU", "[[node]]\nname = 'a'\ngpu = 'h1000'\n",
     "c.toml:3:7: unknown device \"h1000\"; did you mean \"h100\"?"},
    {"a bare number", "[network]\nbandwidth = 100\n",
     "c.toml:2:13: \"bandwidth\" needs a unit; write it like \"100 Mbit/s\""},
    {"a node twice", "[[node]]\nname = 'n[1-3]'\n[[node]]\nname = 'n2'\n",
     "c.toml:4:8: node \"n2\" is there twice, first at c.toml:1:1"},
    {"a bad range", "[[node]]\nname = 'n[3-1]'\n",
     "c.toml:2:8: host list \"n[3-1]\" has the bad range \"3-1\""},
    {"far too many nodes", "[[node]]\nname = 'n[1-999999999]'\n",
     "c.toml:2:8: host list \"n[1-999999999]\" names more than 100000 hosts"},
    {"a count without a type", "[[node]]\nname = 'a'\ncount = 2\n",
     "c.toml:3:9: \"count\" needs the type of the GPUs in \"gpu\""},
    {"a busy GPU that is not there", "[[node]]\nname = 'a'\ngpu = 't4'\ncount = 2\nbusy = [2]\n",
     "c.toml:5:8: GPU 2 cannot be busy: \"count\" is 2"},
    {"more switches than GPUs", "[[node]]\nname = 'a'\ngpu = 't4'\npcie = { switches = 2 }\n",
     "c.toml:4:21: 1 GPU cannot be on 2 switches"},
    {"a switch that is not declared",
     "[[switch]]\nname = 'leaf1'\n[[node]]\nname = 'a'\ngpu = 't4'\nswitch = 'leaf2'\n",
     "c.toml:6:10: unknown switch \"leaf2\"; did you mean \"leaf1\"?"},
    {"a circle of switches",
     "[[switch]]\nname = 'a'\nparent = 'b'\n[[switch]]\nname = 'b'\nparent = 'a'\n"
     "[[node]]\nname = 'n'\ngpu = 't4'\nswitch = 'a'\n",
     "c.toml: switch \"a\" is above itself; give the topmost switch no parent"},
    {"another count than the topology file's",
     "[[node]]\nname = 'a'\ngpu = 't4'\ncount = 8\ntopology = 'box.xml'\n",
     "c.toml:4:9: \"count\" is 8, but the topology file has 4 GPUs"},
};

TEST(ClusterFile, SaysWhatIsWrongWhere) {
    for (const Refusal& test : refusals) {
        const auto cluster = read(test.toml);
        ASSERT_FALSE(cluster) << test.sentence;
        EXPECT_EQ(cluster.error().message, test.message) << test.sentence;
        EXPECT_EQ(cluster.error().kind, ErrorKind::wrong_use) << test.sentence;
    }
}

RC_GTEST_PROP(ClusterFile, SurvivesAnyText, (const std::string& text)) {
    read("[[node]]\nname = 'a'\n" + text);
}

}  // namespace
}  // namespace hora::read
