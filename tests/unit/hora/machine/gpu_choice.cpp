// Do --nodes and --gpus name GPUs that there are, each once, in the order in which they are meant?
#include "scripts/hora/machine/gpu_choice.hpp"

#include <gtest/gtest.h>

#include "tests/unit/request/cluster.hpp"

namespace hora::scripts {
namespace {

using Indices = std::vector<std::uint32_t>;

struct Case {
    const char* name;
    GpuChoice choice;
    Indices gpus;         // empty: it fails
    const char* problem;  // a part of what is said then
};

void expect(const Case& each, const Expected<Indices>& gpus) {
    if (!each.gpus.empty()) {
        ASSERT_TRUE(gpus) << each.name << ": " << gpus.error().message;
        EXPECT_EQ(*gpus, each.gpus) << each.name;
        return;
    }
    ASSERT_FALSE(gpus) << each.name;
    EXPECT_NE(gpus.error().message.find(each.problem), std::string::npos)
        << each.name << ": " << gpus.error().message;
}

TEST(GpuChoice, names_gpus_of_a_machine) {
    constexpr const char* no_list = "is no list of GPUs, such as 0,1,4-7";
    const Case cases[] = {
        {"all", {}, {0, 1, 2, 3}, ""},
        {"one", {.nodes = {}, .gpus = "3"}, {3}, ""},
        {"in any order, ascending", {.nodes = {}, .gpus = "2-3,0"}, {0, 2, 3}, ""},
        {"one that is not there",
         {.nodes = {}, .gpus = "0,4"},
         {},
         "there is no GPU 4: the machine has 4, counted from 0"},
        {"one twice", {.nodes = {}, .gpus = "0-2,1"}, {}, "--gpus names GPU 1 twice"},
        {"the last number", {.nodes = {}, .gpus = "4294967295"}, {}, "GPU"},
        {"a comma at the end", {.nodes = {}, .gpus = "0,"}, {}, no_list},
        {"a comma at the beginning", {.nodes = {}, .gpus = ",0"}, {}, no_list},
        {"two commas", {.nodes = {}, .gpus = "0,,1"}, {}, no_list},
        {"a comma", {.nodes = {}, .gpus = ","}, {}, no_list},
        {"backwards", {.nodes = {}, .gpus = "3-0"}, {}, no_list},
        {"no number", {.nodes = {}, .gpus = "a"}, {}, no_list},
        {"a blank", {.nodes = {}, .gpus = "0, 1"}, {}, no_list},
        {"very many", {.nodes = {}, .gpus = "0-4294967295"}, {}, no_list},
    };
    domain::Topology machine;
    machine.gpus.resize(4);
    for (const Case& each : cases) {
        expect(each, gpus_of(machine, each.choice));
    }
    EXPECT_FALSE(gpus_of(domain::Topology(), GpuChoice{}));
}

TEST(GpuChoice, names_gpus_of_the_nodes_of_a_cluster) {
    domain::Cluster cluster = request::small_cluster().cluster;
    cluster.nodes.push_back({.name = "login", .overhead = Seconds(0), .cpus = 8});
    // n1 has the GPUs from 0 to 3, n2 from 4, ...
    const Case cases[] = {
        {"one node", {.nodes = "n2", .gpus = {}}, {4, 5, 6, 7}, ""},
        {"nodes in their order", {.nodes = "n3,n1", .gpus = "0-1"}, {8, 9, 0, 1}, ""},
        {"a range", {.nodes = "n[5-6]", .gpus = "3"}, {19, 23}, ""},
        {"the last of each node", {.nodes = {}, .gpus = "3"}, {3, 7, 11, 15, 19, 23}, ""},
        {"a node that is not there",
         {.nodes = "n1,m2", .gpus = {}},
         {},
         "unknown node \"m2\"; did you mean \"n2\"?"},
        {"a node twice", {.nodes = "n[1-3],n2", .gpus = {}}, {}, "--nodes names \"n2\" twice"},
        {"no list of hosts", {.nodes = "n[1", .gpus = {}}, {}, "--nodes"},
        {"no GPU of that number",
         {.nodes = "n1", .gpus = "4"},
         {},
         "there is no GPU 4 on node \"n1\", which has 4"},
        {"no GPU at all", {.nodes = "login", .gpus = {}}, {}, "these nodes have no GPU"},
        {"a node without GPUs beside one that has some",
         {.nodes = "login,n1", .gpus = {}},
         {0, 1, 2, 3},
         ""},
    };
    for (const Case& each : cases) {
        expect(each, gpus_of(cluster, each.choice));
    }
    EXPECT_EQ(gpus_of(cluster, GpuChoice{}).value_or(Indices()).size(), 24U);
    EXPECT_FALSE(gpus_of(domain::Cluster(), GpuChoice{}));
}

}  // namespace
}  // namespace hora::scripts
