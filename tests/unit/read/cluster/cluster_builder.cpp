#include "libplanner/read/cluster/cluster_builder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace hora::read {
namespace {

using domain::Cluster;
using domain::Link;
using domain::Part;
using domain::PartKind;

constexpr Link network{Bandwidth(10e9), Seconds(10e-6)};
constexpr Link inside{Bandwidth(60e9), Seconds(1e-6)};

NodeDescription node(std::string name, std::uint32_t gpus, std::uint32_t attached_to = no_switch) {
    NodeDescription made;
    made.name = std::move(name);
    made.devices.assign(gpus, 0);
    made.attached_to = attached_to;
    return made;
}

std::uint32_t common_part(const Cluster& cluster, std::size_t a, std::size_t b) {
    std::uint32_t x = cluster.gpus[a].part;
    std::uint32_t y = cluster.gpus[b].part;
    while (x != y) {  // parents have the smaller index
        (x > y ? x : y) = cluster.parts[std::max(x, y)].parent;
    }
    return x;
}

const Part& part_of(const Cluster& cluster, std::size_t a, std::size_t b) {
    return cluster.parts[common_part(cluster, a, b)];
}

void expect_is_tree(const Cluster& cluster) {
    ASSERT_FALSE(cluster.parts.empty());
    EXPECT_EQ(cluster.parts[0].parent, domain::no_part);
    for (std::size_t i = 1; i < cluster.parts.size(); ++i) {
        const Part& part = cluster.parts[i];
        ASSERT_LT(part.parent, i);
        EXPECT_LE(cluster.parts[part.parent].link.bandwidth, part.link.bandwidth) << part.name;
        EXPECT_GE(cluster.parts[part.parent].link.latency, part.link.latency) << part.name;
    }
}

TEST(ClusterBuilder, MakesASingleNodeTheWhole) {
    ClusterDescription given{{{}}, {flat_layout(4, inside)}, {}, {node("n1", 4)}, network};
    given.nodes[0].busy = {0, 2};
    const auto cluster = build_cluster(given);
    ASSERT_TRUE(cluster);
    ASSERT_EQ(cluster->parts.size(), 1u);
    EXPECT_EQ(cluster->parts[0].kind, PartKind::node);
    EXPECT_EQ(cluster->parts[0].link, inside);
    EXPECT_FALSE(cluster->gpus[2].is_free);
    EXPECT_TRUE(cluster->gpus[3].is_free);
}

TEST(ClusterBuilder, KeepsPairsOnASwitchTogether) {
    const Link across{Bandwidth(40e9), Seconds(2e-6)};
    const ClusterDescription given{
        {{}}, {switched_layout(4, 2, inside, across)}, {}, {node("n1", 4)}, network};
    const auto cluster = build_cluster(given);
    ASSERT_TRUE(cluster);
    expect_is_tree(*cluster);
    EXPECT_EQ(part_of(*cluster, 0, 1).name, "n1:switch0");
    EXPECT_EQ(part_of(*cluster, 2, 3).link, inside);
    EXPECT_EQ(part_of(*cluster, 1, 2).link, across);
}

TEST(ClusterBuilder, PutsLeavesUnderTheirFabric) {
    const ClusterDescription given{
        {{}},
        {flat_layout(2, inside)},
        {{"spine", no_switch, {}, {}}, {"leaf1", 0, {}, {}}, {"leaf2", 0, Bandwidth(20e9), {}}},
        {node("a", 2, 1), node("b", 2, 1), node("c", 2, 2), node("d", 2, 2)},
        network};
    const auto cluster = build_cluster(given);
    ASSERT_TRUE(cluster);
    expect_is_tree(*cluster);
    EXPECT_EQ(cluster->parts[0].name, "spine");
    EXPECT_EQ(cluster->parts[0].kind, PartKind::fabric);
    EXPECT_EQ(part_of(*cluster, 0, 2).name, "leaf1");
    EXPECT_EQ(part_of(*cluster, 0, 2).kind, PartKind::leaf_switch);
    EXPECT_EQ(part_of(*cluster, 0, 2).link, network);
    EXPECT_NEAR(part_of(*cluster, 0, 4).link.latency.count(), 11e-6, 1e-12) << "a level more";
    // Uplinks of 10 GB/s are what the nodes of leaf2 get, however much it carries.
    EXPECT_EQ(part_of(*cluster, 4, 6).link.bandwidth, Bandwidth(10e9));
}

TEST(ClusterBuilder, LetsFastNodesBeFastBesideASlowOne) {
    ClusterDescription given{{{}}, {flat_layout(1, inside)}, {}, {}, network};
    given.nodes = {node("slow", 1), node("fast1", 1), node("fast2", 1)};
    given.nodes[0].bandwidth = Bandwidth(1e9);
    const auto cluster = build_cluster(given);
    ASSERT_TRUE(cluster);
    expect_is_tree(*cluster);
    EXPECT_EQ(part_of(*cluster, 1, 2).link.bandwidth, Bandwidth(10e9));
    EXPECT_EQ(part_of(*cluster, 0, 2).link.bandwidth, Bandwidth(1e9));
    EXPECT_EQ(cluster->parts[0].name, "network at 1 GB/s");
    EXPECT_EQ(cluster->nodes[0].name, "slow") << "the order of the description stays";
}

TEST(ClusterBuilder, RefusesACircleOfSwitches) {
    const ClusterDescription given{{{}},
                                   {flat_layout(1, inside)},
                                   {{"a", 1, {}, {}}, {"b", 0, {}, {}}},
                                   {node("n", 1, 0)},
                                   network};
    const auto cluster = build_cluster(given);
    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error().message,
              "switch \"a\" is above itself; give the topmost switch no parent");
}

TEST(ClusterBuilder, TakesAClusterWithoutGpus) {
    const auto cluster =
        build_cluster({{{}}, {flat_layout(0, inside)}, {}, {node("n1", 0)}, network});
    ASSERT_TRUE(cluster);
    EXPECT_EQ(cluster->parts.size(), 1u);
    EXPECT_EQ(cluster->nodes.size(), 1u);
}

TEST(ClusterBuilder, BuildsTenThousandNodes) {
    ClusterDescription given{{{}}, {switched_layout(8, 2, inside, inside)}, {}, {}, network};
    given.switches.push_back({"spine", no_switch, {}, {}});
    for (std::uint32_t i = 1; i <= 250; ++i) {
        given.switches.push_back({"leaf" + std::to_string(i), 0, {}, {}});
    }
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        given.nodes.push_back(node("n" + std::to_string(i), 8, 1 + i / 40));
        given.nodes.back().bandwidth = Bandwidth(i % 3 == 0 ? 5e9 : 10e9);
    }
    const auto cluster = build_cluster(std::move(given));
    ASSERT_TRUE(cluster);
    EXPECT_EQ(cluster->gpus.size(), 80'000u);
}

// What two nodes get, said another way: the least of everything on the path between them.
Bandwidth pair_bandwidth(const ClusterDescription& given, std::size_t a, std::size_t b) {
    const auto path = [&](std::size_t i) {
        std::vector<std::uint32_t> up;
        for (std::uint32_t at = given.nodes[i].attached_to; at != no_switch;
             at = given.switches[at].parent) {
            up.push_back(at);
        }
        return up;
    };
    const auto own = [&](const std::optional<Bandwidth>& said) {
        return said.value_or(given.network.bandwidth);
    };
    Bandwidth least = std::min({own(given.nodes[a].bandwidth), own(given.nodes[b].bandwidth)});
    for (const std::size_t i : {a, b}) {
        if (given.nodes[i].devices.size() > 1) {
            least = std::min(least, given.layouts[given.nodes[i].layout].groups[0].link.bandwidth);
        }
    }
    const std::vector<std::uint32_t> up_a = path(a);
    const std::vector<std::uint32_t> up_b = path(b);
    for (const std::uint32_t at : up_a) {
        least = std::min(least, own(given.switches[at].bandwidth));
        const auto meet = std::find(up_b.begin(), up_b.end(), at);
        if (meet != up_b.end()) {
            for (auto below = up_b.begin(); below != meet; ++below) {
                least = std::min(least, own(given.switches[*below].bandwidth));
            }
            return least;
        }
    }
    return std::min(least, given.network.bandwidth);
}

std::optional<Bandwidth> some_bandwidth() {
    const int choice = *rc::gen::inRange(0, 5);
    return choice == 0 ? std::nullopt : std::optional(Bandwidth(choice * 4e9));
}

RC_GTEST_PROP(ClusterBuilder, GivesEachPairOfNodesItsBandwidth, ()) {
    ClusterDescription given{
        {{}}, {flat_layout(1, inside), flat_layout(2, {Bandwidth(9e9), {}})}, {}, {}, network};
    const auto switches = *rc::gen::inRange<std::uint32_t>(1, 6);
    for (std::uint32_t i = 0; i < switches; ++i) {
        const std::uint32_t parent = i == 0 ? no_switch : *rc::gen::inRange<std::uint32_t>(0, i);
        given.switches.push_back({"s" + std::to_string(i), parent, some_bandwidth(), {}});
    }
    const auto nodes = *rc::gen::inRange<std::uint32_t>(2, 9);
    for (std::uint32_t i = 0; i < nodes; ++i) {
        const auto layout = *rc::gen::inRange<std::uint32_t>(0, 2);
        given.nodes.push_back(node("n" + std::to_string(i), layout + 1,
                                   *rc::gen::inRange<std::uint32_t>(0, switches)));
        given.nodes.back().layout = layout;
        given.nodes.back().bandwidth = some_bandwidth();
    }
    const auto cluster = build_cluster(given);
    RC_ASSERT(cluster.has_value());
    expect_is_tree(*cluster);
    for (std::size_t a = 0; a < cluster->gpus.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const auto x = cluster->gpus[a].node;
            const auto y = cluster->gpus[b].node;
            if (x != y) {
                RC_ASSERT(part_of(*cluster, a, b).link.bandwidth == pair_bandwidth(given, x, y));
            }
        }
    }
}

}  // namespace
}  // namespace hora::read
