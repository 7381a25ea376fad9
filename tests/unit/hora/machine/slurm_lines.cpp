// Can what the lines for Slurm say be read by Slurm, and does no name add a line of its own?
#include "scripts/hora/machine/slurm_lines.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::scripts {
namespace {

// One socket of two cores with two GPUs behind it.
domain::Topology machine(const std::string& host) {
    domain::Topology topology;
    topology.host = host;
    topology.sockets = 1;
    topology.cores_per_socket = 2;
    topology.threads_per_core = 1;
    topology.objects = {{.kind = domain::ObjectKind::machine},
                        {.kind = domain::ObjectKind::socket, .parent = 0}};
    for (std::uint32_t core = 0; core < 2; ++core) {
        topology.cores.push_back({.socket = 0, .numa = 0, .cache = 0, .cpus = {core}});
    }
    for (std::uint8_t gpu = 0; gpu < 2; ++gpu) {
        topology.objects.push_back({.kind = domain::ObjectKind::gpu, .parent = 1});
        topology.objects.back().address.bus = static_cast<std::uint8_t>(gpu + 1);
        topology.objects.back().vendor = 0x10de;
        topology.gpus.push_back({.object = 2u + gpu, .numa = 0, .socket = 0, .cpus = {0, 1}});
    }
    topology.paths.resize(4, {domain::PathKind::phb, Bandwidth(6e9), false});
    return topology;
}

struct Case {
    const char* sentence;
    std::string host;
    std::string node;
    std::string type;
    bool is_taken;
};

const Case cases[] = {
    {"the machine's own name", "n1", "", "", true},
    {"no name at all", "", "", "", true},
    {"a range of nodes", "n1", "n[1-4,7]", "a100", true},
    {"as many as Slurm may have", "n1", "n[1-65536]", "", true},
    {"more than any site has", "n1", "n[1-2000000]", "", false},
    {"a range that is not closed", "n1", "n[1-4", "", false},
    {"a range from the end", "n1", "n[4-1]", "", false},
    {"a second word", "n1", "n1 Gres=gpu:99", "", false},
    {"a second line", "n1", "n1\nNodeName=n2", "", false},
    {"a comment", "n1", "n1#", "", false},
    {"a machine whose name holds a blank", "n 1", "", "", false},
    {"the same under another name", "n 1", "n1", "", true},
    {"a type with a colon", "n1", "", "a100:8", false},
    {"a type that is a second line", "n1", "", "a100\nName=gpu", false},
    {"a type of the longest name", "n1", "", std::string(1000, 'a'), false},
};

TEST(SlurmLines, NameWhatSlurmCanRead) {
    for (const Case& one : cases) {
        testing::internal::CaptureStderr();
        const TopologyRequest request{
            .path = "m.xml", .value = {}, .node = one.node, .type = one.type};
        const auto conf = print_gres_conf(machine(one.host), request);
        const auto node = print_slurm_node(machine(one.host), request);
        testing::internal::GetCapturedStderr();
        EXPECT_EQ(conf.has_value(), one.is_taken) << one.sentence;
        if (!conf) {
            EXPECT_EQ(conf.error().kind, ErrorKind::wrong_use) << one.sentence;
            EXPECT_FALSE(node) << one.sentence;
        }
    }
}

}  // namespace
}  // namespace hora::scripts
