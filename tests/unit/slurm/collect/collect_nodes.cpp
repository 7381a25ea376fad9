#include "plugins/slurm/collect/collect_nodes.hpp"

#include <gtest/gtest.h>

namespace hora::slurm {
namespace {

struct Case {
    const char* sentence;
    std::string_view gres;
    std::string_view used;
    std::vector<std::string> types;
    std::vector<std::uint32_t> busy;
    std::vector<std::uint32_t> sockets = {};
};

const Case cases[] = {
    {"a node without GPUs", "", "", {}, {}},
    {"other resources are no GPUs", "nic:2,shard:8", "nic:1", {}, {}},
    {"an idle node",
     "gpu:titanx:2(S:0-1)",
     "gpu:titanx:0(IDX:N/A)",
     {"titanx", "titanx"},
     {},
     {0, 1}},
    {"busy ones by their index",
     "gpu:titanx:4(S:0-1)",
     "gpu:titanx:2(IDX:0,2)",
     {"titanx", "titanx", "titanx", "titanx"},
     {0, 2},
     {0, 1}},
    {"two types count on",
     "gpu:a:1,gpu:b:2",
     "gpu:a:0(IDX:N/A),gpu:b:1(IDX:2)",
     {"a", "b", "b"},
     {2}},
    {"without indices the first are busy",
     "gpu:a:2,gpu:b:2",
     "gpu:a:1,gpu:b:1",
     {"a", "a", "b", "b"},
     {0, 2}},
    {"no type is said", "gpu:2", "gpu:0", {"", ""}, {}},
    {"an index beyond the node is passed over", "gpu:1", "gpu:1(IDX:7)", {""}, {}},
};

TEST(NodeGpus, ReadsWhatSlurmWrites) {
    for (const Case& test : cases) {
        const auto gpus = read_node_gpus(test.gres, test.used);
        ASSERT_TRUE(gpus.has_value()) << test.sentence;
        EXPECT_EQ(gpus->types, test.types) << test.sentence;
        EXPECT_EQ(gpus->busy, test.busy) << test.sentence;
        EXPECT_EQ(gpus->sockets, test.sockets) << test.sentence;
    }
}

TEST(NodeGpus, BoundsTheCount) {
    EXPECT_FALSE(read_node_gpus("gpu:129", "").has_value());
    EXPECT_FALSE(read_node_gpus("gpu:9007199254740992", "").has_value());
    EXPECT_EQ(read_node_gpus("gpu:2", "gpu:9007199254740992")->busy,
              (std::vector<std::uint32_t>{0, 1}));
}

TEST(NodeUse, KnowsANodeThatRefusedAStart) {
    EXPECT_TRUE(has_refused_a_start(NODE_STATE_IDLE | NODE_STATE_DRAIN, "Duplicate jobid"));
    EXPECT_FALSE(has_refused_a_start(NODE_STATE_IDLE, "Duplicate jobid")) << "resumed";
    EXPECT_FALSE(has_refused_a_start(NODE_STATE_IDLE | NODE_STATE_DRAIN, "broken fan"));
}

domain::Device known_device(const char* name) {
    domain::Device device;
    device.name = name;
    device.memory = Bytes(12e9);
    device.pcie = Bandwidth(12e9);
    return device;
}

struct NameCase {
    const char* sentence;
    std::string gres;
    std::string features;
    std::vector<std::string> names;  // of the snapshot's GPUs
    std::size_t remarks = 0;
};

const NameCase name_cases[] = {
    {"as Hora writes it", "gpu:a100:1", "", {"a100"}},
    {"in capitals", "gpu:A100:1", "", {"A100"}},
    {"by a feature alone", "gpu:1", "A100", {"A100"}},
    {"two types of one device", "gpu:A100:1,gpu:a100:1", "", {"A100", "a100"}},
    {"an unknown type whose feature says which it is", "gpu:tesla:1", "a100", {"a100"}},
    {"no feature says which of several types it means",
     "gpu:a100:1,gpu:1g.5gb:7",
     "a100",
     {"a100"},
     1},
};

// slurmctld compares the type of a request with its own letter by letter.
TEST(CollectNodes, KeepsTheLettersOfATypeAsSlurmHasIt) {
    for (NameCase test : name_cases) {
        char name[] = "n1";
        node_info_t node{};
        node.name = name;
        node.gres = test.gres.data();
        node.features = test.features.data();
        node.node_state = NODE_STATE_UNKNOWN;  // of others libslurm's plugins count the CPUs
        node.sockets = node.cores = node.threads = node.cpus = 1;
        node_info_msg_t nodes{};
        nodes.record_count = 1;
        nodes.node_array = &node;
        Collected collected;
        const SiteFacts site{.devices = {known_device("a100")}, .network = {}, .nodes = {}};
        ASSERT_TRUE(collect_nodes(nodes, "", site, {}, collected).has_value()) << test.sentence;
        std::vector<std::string> names;
        const domain::Cluster& cluster = collected.snapshot.cluster;
        for (const domain::Gpu& gpu : cluster.gpus) {
            names.push_back(cluster.devices[gpu.device].name);
        }
        EXPECT_EQ(names, test.names) << test.sentence;
        EXPECT_EQ(collected.remarks.size(), test.remarks) << test.sentence;
    }
}

struct UseCase {
    const char* sentence;
    std::uint32_t state;
    NodeUse use;
};

const UseCase use_cases[] = {
    {"idle", NODE_STATE_IDLE, NodeUse::now},
    {"partly allocated, and powered by Slurm", NODE_STATE_MIXED | NODE_STATE_POWERED_DOWN,
     NodeUse::now},
    {"down", NODE_STATE_DOWN, NodeUse::none},
    {"drained", NODE_STATE_IDLE | NODE_STATE_DRAIN, NodeUse::none},
    {"in use, and to be drained", NODE_STATE_ALLOCATED | NODE_STATE_DRAIN, NodeUse::none},
    {"in maintenance", NODE_STATE_IDLE | NODE_STATE_MAINT, NodeUse::none},
    {"not heard of yet", NODE_STATE_IDLE | NODE_STATE_NO_RESPOND, NodeUse::later},
    {"not heard of, with jobs", NODE_STATE_ALLOCATED | NODE_STATE_NO_RESPOND, NodeUse::later},
    {"given up", NODE_STATE_DOWN | NODE_STATE_NO_RESPOND, NodeUse::none},
    {"drained, and not heard of", NODE_STATE_IDLE | NODE_STATE_DRAIN | NODE_STATE_NO_RESPOND,
     NodeUse::none},
    {"not heard of since slurmctld started", NODE_STATE_UNKNOWN, NodeUse::later},
    {"the same, and asked", NODE_STATE_UNKNOWN | NODE_STATE_NO_RESPOND, NodeUse::later},
    {"the same, and drained", NODE_STATE_UNKNOWN | NODE_STATE_DRAIN, NodeUse::none},
};

TEST(NodeUse, FollowsTheState) {
    for (const UseCase& test : use_cases) {
        EXPECT_EQ(use_of(test.state), test.use) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::slurm
