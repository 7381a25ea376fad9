#include "libplanner/request/rewrite/sockets.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/request/cluster.hpp"

namespace hora::request {
namespace {

struct Cores {
    const char* sentence;
    std::uint32_t cpus;  // of 2 sockets with 4 cores of 2 threads
    std::uint32_t free_cpus;
    std::uint32_t threads_per_core;
    std::uint32_t cores_per_socket;
    std::uint32_t free_cores;
};

const Cores core_counts[] = {
    {"each thread is a CPU", 16, 16, 2, 4, 8},
    {"of an odd number of free CPUs one is half a core", 16, 5, 2, 4, 2},
    {"as many CPUs as cores count each core as one", 8, 6, 1, 4, 6},
    {"reserved cores may all be of one socket", 14, 14, 2, 3, 7},
    {"also where each core counts as one", 6, 6, 1, 2, 6},
    {"more reserved cores than a socket has leave it none", 2, 2, 1, 0, 2},
    {"a number of CPUs that is not known reserves none", 0, 16, 2, 4, 8},
};

TEST(NodeSockets, CountTheCoresThatJobsMayHave) {
    for (const Cores& test : core_counts) {
        SCOPED_TRACE(test.sentence);
        domain::Snapshot snapshot = small_cluster();
        snapshot.cluster.nodes[0].cpus = test.cpus;
        domain::NodeState& state = snapshot.states[0];
        state.sockets = 2;
        state.cores_per_socket = 4;
        state.threads_per_core = 2;
        state.free_cpus = test.free_cpus;
        const NodeSockets node = sockets_of(0, "", snapshot);
        EXPECT_EQ(node.threads_per_core, test.threads_per_core);
        EXPECT_EQ(node.cores_per_socket, test.cores_per_socket);
        EXPECT_EQ(node.free_cores, test.free_cores);
    }
}

struct Lay {
    const char* sentence;
    std::vector<std::uint32_t> gpu_sockets;  // of n1, which has 4 GPUs
    const char* type;
    std::vector<GpuSocket> sockets;  // but for their parts
};

// GPU 2 is not free.
const Lay lays[] = {
    {"two on each socket", {0, 0, 1, 1}, "", {{0, 2, 2}, {1, 2, 1}}},
    {"in the order of their first GPUs", {3, 1, 1, 3}, "", {{3, 2, 2}, {1, 2, 1}}},
    {"all of the type that is named", {0, 0, 0, 0}, "titanx", {{0, 4, 3}}},
    {"none of another type", {0, 0, 1, 1}, "k80", {}},
    {"sockets that are not known", {}, "", {}},
    {"a GPU without a socket leaves none known", {0, 0, 1}, "", {}},
};

TEST(NodeSockets, CountTheGpusOfEach) {
    for (const Lay& test : lays) {
        SCOPED_TRACE(test.sentence);
        domain::Snapshot snapshot = small_cluster();
        snapshot.states[0].gpu_sockets = test.gpu_sockets;
        snapshot.cluster.gpus[2].is_free = false;
        const NodeSockets node = sockets_of(0, test.type, snapshot);
        ASSERT_EQ(node.sockets.size(), test.sockets.size());
        for (std::size_t i = 0; i < node.sockets.size(); ++i) {
            EXPECT_EQ(node.sockets[i].number, test.sockets[i].number);
            EXPECT_EQ(node.sockets[i].gpus, test.sockets[i].gpus);
            EXPECT_EQ(node.sockets[i].free, test.sockets[i].free);
        }
    }
}

// Two switches below a node: each socket has the GPUs of one of them, or of both.
TEST(NodeSockets, KnowTheSmallestPartThatHoldsTheirGpus) {
    domain::Snapshot snapshot = small_cluster();
    domain::Cluster& cluster = snapshot.cluster;
    const std::uint32_t body = cluster.gpus[0].part;
    const auto first = static_cast<std::uint32_t>(cluster.parts.size());
    for (const double bandwidth : {16e9, 14e9}) {
        cluster.parts.push_back({.kind = domain::PartKind::pcie_switch,
                                 .parent = body,
                                 .link = {Bandwidth(bandwidth), Seconds(0)},
                                 .name = ""});
    }
    for (std::uint32_t gpu = 0; gpu < 4; ++gpu) {
        cluster.gpus[gpu].part = first + gpu / 2;
    }
    snapshot.states[0].gpu_sockets = {0, 0, 1, 1};
    const NodeSockets apart = sockets_of(0, "", snapshot);
    ASSERT_EQ(apart.sockets.size(), 2U);
    EXPECT_EQ(apart.sockets[0].part, first);
    EXPECT_EQ(apart.sockets[1].part, first + 1);
    EXPECT_EQ(apart.part, body);
    const SocketRule pair{.gpus_per_socket = 2, .sockets = 1, .cores_per_socket = 1};
    EXPECT_EQ(bandwidth_inside(pair, apart, cluster), Bandwidth(14e9)) << "of the slower switch";
    snapshot.states[0].gpu_sockets = {0, 1, 1, 0};
    const NodeSockets across = sockets_of(0, "", snapshot);
    ASSERT_EQ(across.sockets.size(), 2U);
    EXPECT_EQ(across.sockets[0].part, body);
    EXPECT_EQ(bandwidth_inside(pair, across, cluster), Bandwidth(12e9));
    const SocketRule all{.gpus_per_socket = 4, .sockets = 1, .cores_per_socket = 1};
    EXPECT_EQ(bandwidth_inside(all, across, cluster), Bandwidth(0)) << "no socket has as many";
}

NodeSockets node_with(const std::vector<std::uint32_t>& gpus,
                      const std::vector<std::uint32_t>& free, std::uint32_t cores_per_socket,
                      std::uint32_t free_cores) {
    NodeSockets node;
    for (std::uint32_t i = 0; i < gpus.size(); ++i) {
        node.sockets.push_back({.number = i, .gpus = gpus[i], .free = free[i], .part = 0});
    }
    node.cores_per_socket = cores_per_socket;
    node.free_cores = free_cores;
    return node;
}

struct Rule {
    const char* sentence;
    SocketRule rule;
    NodeSockets node;
    bool is_satisfiable;
    bool is_free;
};

const Rule rules[] = {
    {"one socket may have more GPUs than are asked of it",
     {2, 1, 4},
     node_with({4}, {2}, 4, 4),
     true,
     true},
    {"of several each has exactly as many", {2, 2, 1}, node_with({2, 2}, {2, 2}, 4, 8), true, true},
    {"not more", {2, 2, 1}, node_with({4, 4}, {4, 4}, 4, 8), false, false},
    {"too few sockets have as many", {2, 2, 1}, node_with({2, 1}, {2, 1}, 4, 8), false, false},
    {"a socket has too few cores", {2, 1, 5}, node_with({2, 2}, {2, 2}, 4, 8), false, false},
    {"its GPUs are in use", {2, 1, 4}, node_with({2, 2}, {1, 1}, 4, 8), true, false},
    {"one of two sockets is in use", {2, 2, 4}, node_with({2, 2}, {2, 1}, 4, 8), true, false},
    {"too few cores are free", {2, 1, 4}, node_with({2}, {2}, 4, 3), true, false},
};

TEST(SocketRule, IsHeldToANode) {
    for (const Rule& test : rules) {
        EXPECT_EQ(is_satisfiable(test.rule, test.node), test.is_satisfiable) << test.sentence;
        EXPECT_EQ(is_free(test.rule, test.node), test.is_free) << test.sentence;
    }
}

// The first number of sockets that a request can name for them.
std::optional<SocketRule> tried(std::uint32_t gpus, std::uint32_t cpus, const NodeSockets& node) {
    const std::uint32_t cores = (cpus + node.threads_per_core - 1) / node.threads_per_core;
    for (std::uint32_t sockets = 1; sockets <= node.sockets.size(); ++sockets) {
        const SocketRule rule{.gpus_per_socket = gpus / sockets,
                              .sockets = sockets,
                              .cores_per_socket = std::max(1U, (cores + sockets - 1) / sockets)};
        if (gpus % sockets == 0 && is_satisfiable(rule, node)) {
            return rule;
        }
    }
    return std::nullopt;
}

RC_GTEST_PROP(SocketRule, IsTheOneOfFewestSocketsWhereAllHaveAsManyGpus, ()) {
    const auto count = *rc::gen::inRange<std::size_t>(1, 5);
    const auto each = *rc::gen::inRange<std::uint32_t>(1, 5);
    const std::vector<std::uint32_t> gpus(count, each);
    NodeSockets node = node_with(gpus, gpus, *rc::gen::inRange<std::uint32_t>(1, 9), 64);
    node.threads_per_core = *rc::gen::inRange<std::uint32_t>(1, 3);
    const auto wanted = *rc::gen::inRange<std::uint32_t>(1, 20);
    const auto cpus = *rc::gen::inRange<std::uint32_t>(0, 40);
    RC_ASSERT((rule_for(wanted, cpus, node) == tried(wanted, cpus, node)));
}

TEST(SocketRule, NamesNoPartOfSeveralSockets) {
    const NodeSockets node = node_with({4, 4}, {4, 4}, 8, 16);
    EXPECT_EQ(rule_for(6, 6, node), std::nullopt) << "4 on one and 2 on the other";
    EXPECT_EQ(rule_for(0, 1, node), std::nullopt);
    EXPECT_EQ(rule_for(1, 1, NodeSockets()), std::nullopt) << "sockets that are not known";
}

}  // namespace
}  // namespace hora::request
