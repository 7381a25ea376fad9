// Is every node of a snapshot shown once, with what it has and what of that is free?
#include "libplanner/report/plan/cluster.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "libplanner/read/slurm/hostlist.hpp"
#include "tests/unit/read/some_snapshot.hpp"

namespace hora::report {
namespace {

using domain::PartKind;
using nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

// One without GPUs, three of which two are alike, and one whose GPUs are of two types on a switch
// and beside it.
domain::Snapshot five_nodes() {
    domain::Snapshot snapshot = testing::large_snapshot(0, 1);
    domain::Cluster& cluster = snapshot.cluster;
    cluster.parts.push_back({PartKind::leaf_switch, 0, {Bandwidth(5e9), Seconds(2e-6)}, "leaf"});
    testing::add_node(snapshot, "login", 0, 0, 1, 0);
    testing::add_node(snapshot, "n1", 1, 4, 2, 0);
    testing::add_node(snapshot, "n2", 1, 4, 2, 0);
    testing::add_node(snapshot, "n3", 1, 4, 2, 0);
    testing::add_node(snapshot, "odd", 0, 3, 2, 1);
    cluster.gpus[4 + 1].is_free = cluster.gpus[4 + 2].is_free = false;
    // Its third GPU hangs on the socket, beside the switch of the others.
    const auto socket = static_cast<std::uint32_t>(cluster.parts.size());
    cluster.parts.push_back(
        {PartKind::socket, cluster.parts.back().parent, {Bandwidth(1e10), Seconds(0)}, "odd:s"});
    for (domain::Gpu& gpu : cluster.gpus) {
        if (cluster.nodes[gpu.node].name == "odd") {
            cluster.parts[gpu.part].parent =
                gpu.index < 2 ? socket : cluster.parts[gpu.part].parent;
            gpu.part = gpu.index < 2 ? gpu.part : socket;
            gpu.device = gpu.index == 2 ? 0 : 1;
        }
    }
    snapshot.states[2].free_cpus = 4;
    snapshot.states[4].is_usable = false;
    snapshot.partitions = {{"all", {0, 1, 2, 3, 4}, true, true, {}, {}, {}, {}, ""},
                           {"odd", {4}, true, false, {}, {}, {}, {}, ""}};
    return snapshot;
}

TEST(Cluster, ShowsNodesThatAreAlikeInOneLine) {
    const std::vector<std::string> wanted = {
        "nodes    GPUs              free  free CPUs  usable  partitions  switch  groups",
        "login    -                 -     8/16       yes     all         -       -",
        "n[1,3]   4 titanx          0-3   8/16       yes     all         leaf    0-1 2-3",
        "n2       4 titanx          0,3   4/16       yes     all         leaf    0-1 2-3",
        "odd      1 titanx, 2 k80   0-2   8/16       no      all,odd     -       0-1 0-2"};
    const std::vector<std::string> lines = lines_of(cluster_table(five_nodes()));
    ASSERT_EQ(lines.size(), wanted.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        // Words alone: the columns' widths are text_table's matter.
        std::istringstream one(lines[i]);
        std::istringstream other(wanted[i]);
        EXPECT_EQ(std::vector<std::string>(std::istream_iterator<std::string>(one), {}),
                  std::vector<std::string>(std::istream_iterator<std::string>(other), {}))
            << lines[i];
    }
}

TEST(Cluster, NamesTheGroupsOfANodeByTheirPlaceInIt) {
    const json nodes = json::parse(cluster_json(five_nodes()))["nodes"];
    ASSERT_EQ(nodes.size(), 5U);
    const json& groups = nodes[4]["groups"];
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0]["name"], "odd switch 0");
    EXPECT_EQ(groups[0]["kind"], "pcie_switch");
    EXPECT_EQ(groups[0]["gpus"], json({0, 1}));
    EXPECT_EQ(groups[1]["name"], "s") << "without the node's name";
    EXPECT_EQ(groups[1]["kind"], "socket");
    EXPECT_EQ(groups[1]["gpus"], json({0, 1, 2}));
    EXPECT_EQ(nodes[2]["gpus"][1], json({{"index", 1}, {"type", "titanx"}, {"free", false}}));
    EXPECT_EQ(nodes[1]["switch"], "leaf");
}

RC_GTEST_PROP(Cluster, HasEachNodeOnceAndEachGpu, ()) {
    const domain::Snapshot snapshot = testing::some_snapshot();
    std::vector<std::string> names;
    const std::vector<std::string> lines = lines_of(cluster_table(snapshot));
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto hosts = read::expand_hostlist(lines[i].substr(0, lines[i].find(' ')));
        RC_ASSERT(hosts.has_value());
        names.insert(names.end(), hosts->begin(), hosts->end());
    }
    std::vector<std::string> known;
    for (const domain::Node& node : snapshot.cluster.nodes) {
        known.push_back(node.name);
    }
    std::sort(names.begin(), names.end());
    std::sort(known.begin(), known.end());
    RC_ASSERT(names == known);
    std::size_t gpus = 0;
    const json nodes = json::parse(cluster_json(snapshot))["nodes"];
    for (const json& node : nodes) {
        std::size_t grouped = 0;
        for (const json& group : node["groups"]) {
            grouped += group["gpus"].size();
        }
        RC_ASSERT(grouped == node["gpus"].size());
        for (const json& gpu : node["gpus"]) {
            RC_ASSERT(gpu["free"] == snapshot.cluster.gpus[gpus].is_free);
            ++gpus;
        }
    }
    RC_ASSERT(gpus == snapshot.cluster.gpus.size());
}

}  // namespace
}  // namespace hora::report
