// Is each node of a snapshot built of its shape, and what would point nowhere refused?
#include "libplanner/read/state/snapshot_cluster.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace hora::read {
namespace {

using nlohmann::json;

json some_device() {
    json device = json::parse(R"({"name":"titanx","memory_bandwidth":3e11,"memory":1e10,
        "pcie":1.2e10,"nvlink":0,"source":"a test","peak":{}})");
    for (const domain::DataTypeInfo& type : domain::data_types) {
        device["peak"][std::string(type.name)] = 1e12;
    }
    return device;
}

// Four nodes on two switches: three with GPUs on a switch of their own, one without.
json four_nodes() {
    json root = json::parse(R"({
        "switches":[
            {"kind":"fabric","bandwidth":1e9,"latency":1e-5,"name":"all"},
            {"kind":"leaf_switch","parent":0,"bandwidth":null,"latency":0,"name":"leaf1"}],
        "shapes":[
            {"parts":[
                {"kind":"node","parent":0,"bandwidth":9e9,"latency":1e-6,"name":"*"},
                {"kind":"pcie_switch","parent":1,"bandwidth":1e10,"latency":1e-6,
                 "name":"*/pci 0"}],
             "gpus":[{"device":0,"part":1,"indices":"2"},{"device":0,"part":2,"indices":"0-1"}]},
            {"parts":[],"gpus":[]}],
        "nodes":{"names":"n[1-3],login","groups":[
            {"nodes":"0,2","shape":0,"switch":1,"busy":"1","overhead":-2.5,"cpus":16,
             "usable":true,"free_cpus":8,"sockets":2,"cores_per_socket":4,"threads_per_core":2,
             "memory_mib":64000,"features":["ib"],"gpu_sockets":[0,0,1]},
            {"nodes":"1","shape":0,"switch":0,"busy":"","overhead":0,"cpus":16,
             "usable":false,"answers":false,"free_cpus":0,"sockets":1,"cores_per_socket":1,
             "threads_per_core":1,"memory_mib":0,"features":[]},
            {"nodes":"3","shape":1,"switch":0,"busy":"","overhead":0,"cpus":4,
             "usable":true,"free_cpus":4,"sockets":1,"cores_per_socket":1,
             "threads_per_core":1,"memory_mib":0,"features":[]}]}})");
    root["devices"] = json::array({some_device()});
    return root;
}

struct Outcome {
    domain::Snapshot snapshot;
    std::string problem;  // empty: none
};

Outcome read(const json& value) {
    Outcome outcome;
    JsonProblem problem;
    JsonObject root(value, "snapshot", JsonObject::only_one, problem);
    read_machines(root, problem, outcome.snapshot);
    root.finish();
    outcome.problem = problem.error().message;
    return outcome;
}

std::string name_of_part(const domain::Cluster& cluster, std::uint32_t part) {
    return part == domain::no_part ? "none" : cluster.parts[part].name;
}

// "n1/pci 0 on n1"
std::vector<std::string> tree_of(const domain::Cluster& cluster) {
    std::vector<std::string> tree;
    for (const domain::Part& part : cluster.parts) {
        tree.push_back(part.name + " on " + name_of_part(cluster, part.parent));
    }
    return tree;
}

TEST(SnapshotCluster, HangsEachNodesPartsOnItsOwnSwitch) {
    const Outcome outcome = read(four_nodes());
    ASSERT_EQ(outcome.problem, "");
    EXPECT_EQ(
        tree_of(outcome.snapshot.cluster),
        (std::vector<std::string>{"all on none", "leaf1 on all", "n1 on leaf1", "n1/pci 0 on n1",
                                  "n2 on all", "n2/pci 0 on n2", "n3 on leaf1", "n3/pci 0 on n3"}));
    EXPECT_TRUE(std::isinf(outcome.snapshot.cluster.parts[1].link.bandwidth.count()))
        << "null stands for no limit";
    EXPECT_EQ(outcome.snapshot.cluster.parts[0].link.bandwidth, Bandwidth(1e9));
}

TEST(SnapshotCluster, CountsAndPlacesGpusByTheirIndex) {
    const domain::Cluster cluster = read(four_nodes()).snapshot.cluster;
    std::vector<std::string> gpus;
    for (const domain::Gpu& gpu : cluster.gpus) {
        gpus.push_back(fmt::format("{} of {} on {}{}", gpu.index, cluster.nodes[gpu.node].name,
                                   name_of_part(cluster, gpu.part), gpu.is_free ? "" : ", busy"));
    }
    EXPECT_EQ(gpus, (std::vector<std::string>{
                        "0 of n1 on n1/pci 0", "1 of n1 on n1/pci 0, busy", "2 of n1 on n1",
                        "0 of n2 on n2/pci 0", "1 of n2 on n2/pci 0", "2 of n2 on n2",
                        "0 of n3 on n3/pci 0", "1 of n3 on n3/pci 0, busy", "2 of n3 on n3"}));
}

TEST(SnapshotCluster, GivesEachNodeTheStateOfItsGroup) {
    const domain::Snapshot snapshot = read(four_nodes()).snapshot;
    ASSERT_EQ(snapshot.states.size(), 4U);
    EXPECT_EQ(snapshot.cluster.nodes[2].overhead, Seconds(-2.5));
    EXPECT_EQ(snapshot.cluster.nodes[2].cpus, 16U);
    EXPECT_EQ(snapshot.cluster.nodes[3].name, "login");
    EXPECT_EQ(snapshot.cluster.nodes[3].cpus, 4U);
    const domain::NodeState& state = snapshot.states[2];
    EXPECT_TRUE(state.is_usable);
    EXPECT_TRUE(state.answers) << "older files do not say";
    EXPECT_EQ(state.free_cpus, 8U);
    EXPECT_EQ(state.sockets, 2U);
    EXPECT_EQ(state.cores_per_socket, 4U);
    EXPECT_EQ(state.threads_per_core, 2U);
    EXPECT_EQ(state.memory_mib, 64000U);
    EXPECT_EQ(state.features, (std::vector<std::string>{"ib"}));
    EXPECT_EQ(state.gpu_sockets, (std::vector<std::uint32_t>{0, 0, 1}));
    EXPECT_FALSE(snapshot.states[1].is_usable);
    EXPECT_FALSE(snapshot.states[1].answers);
    EXPECT_TRUE(snapshot.states[3].is_usable);
}

struct Case {
    const char* sentence;
    std::function<void(json&)> change;
    const char* problem;
};

const Case cases[] = {
    {"a node in two groups", [](json& root) { root["nodes"]["groups"][1]["nodes"] = "1-2"; },
     "nodes.groups do not hold each node exactly once"},
    {"one node twice, another in none",
     [](json& root) { root["nodes"]["groups"][1]["nodes"] = "2"; },
     "nodes.groups do not hold each node exactly once"},
    {"a GPU twice", [](json& root) { root["shapes"][0]["gpus"][0]["indices"] = "1"; },
     "shapes[0].gpus names an index twice"},
    {"a GPU on a part that comes later",
     [](json& root) { root["shapes"][0]["gpus"][0]["part"] = 3; },
     "gpus[0].part is no whole number up to 2"},
    {"a part below itself", [](json& root) { root["shapes"][0]["parts"][1]["parent"] = 2; },
     "parts[1].parent is no whole number up to 1"},
    {"a second whole", [](json& root) { root["switches"][0]["parent"] = 0; },
     "switches[0].\"parent\" is not known"},
    {"no switch", [](json& root) { root["switches"] = json::array(); },
     "snapshot.switches is empty; there is at least the whole"},
    {"no shape", [](json& root) { root["shapes"] = json::array(); },
     "groups[0].shape points into an empty list"},
    {"a device without a name", [](json& root) { root["devices"][0]["name"] = ""; },
     "devices[0].name is empty"},
    {"a data type left out", [](json& root) { root["devices"][0]["peak"].erase("fp32"); },
     "fp32 is missing"},
    {"a name twice", [](json& root) { root["nodes"]["names"] = "n[1-3],n2"; },
     "nodes.names names a node twice, or one of an odd length"},
    {"more parts than any cluster has",
     [](json& root) {
         json& parts = root["shapes"][1]["parts"];
         for (int i = 0; i < 256; ++i) {
             parts.push_back(root["shapes"][0]["parts"][0]);
         }
         root["nodes"]["names"] = "n[0-4100]";
         root["nodes"]["groups"][2]["nodes"] = "3-4100";
     },
     "nodes.groups hold too many GPUs, parts or features"},
};

TEST(SnapshotCluster, RefusesWhatPointsNowhere) {
    for (const Case& row : cases) {
        json root = four_nodes();
        row.change(root);
        const Outcome outcome = read(root);
        EXPECT_NE(outcome.problem.find(row.problem), std::string::npos)
            << row.sentence << ": " << outcome.problem;
        EXPECT_TRUE(outcome.snapshot.cluster.gpus.empty()) << row.sentence;
    }
}

TEST(SnapshotCluster, MayBeEmpty) {
    json root = four_nodes();
    root["nodes"] = {{"names", ""}, {"groups", json::array()}};
    const Outcome outcome = read(root);
    EXPECT_EQ(outcome.problem, "");
    EXPECT_TRUE(outcome.snapshot.cluster.nodes.empty());
    EXPECT_EQ(outcome.snapshot.cluster.parts.size(), 2U);
}

}  // namespace
}  // namespace hora::read
