#include "libplanner/plan/ring/ring_verdict.hpp"

#include <gtest/gtest.h>

#include "libplanner/model/links/ring_pace.hpp"
#include "tests/unit/plan/ring/p4_box.hpp"

namespace hora::plan {
namespace {

using Order = std::vector<std::uint32_t>;
using tests::p4_box;

TEST(RingPace, CountsLinksThatShareACable) {
    const domain::Topology box = p4_box();
    EXPECT_EQ(model::ring_pace(box, Order{0, 1, 2, 3}).count(), 6e9);
    EXPECT_EQ(model::ring_pace(box, Order{0, 2, 1, 3}).count(), 3e9);
    EXPECT_EQ(model::ring_pace(box, Order{0, 1}).count(), 12e9);
    EXPECT_EQ(model::ring_pace(box, Order{0}).count(), 0);
    domain::Topology linked = box;
    for (domain::GpuPath& path : linked.paths) {
        path.kind = domain::PathKind::nvlink;
    }
    EXPECT_EQ(model::ring_pace(linked, Order{0, 2, 1, 3}).count(), 6e9);
}

read::NcclCommunicator communicator(const Order& ring) {
    read::NcclCommunicator one;
    one.size = static_cast<std::uint32_t>(ring.size());
    const std::uint8_t buses[] = {0x03, 0x04, 0x83, 0x84};
    for (std::uint32_t rank = 0; rank < one.size; ++rank) {
        one.ranks.push_back({rank, "h", rank, rank, domain::PciAddress{0, buses[rank], 0, 0}});
    }
    one.rings.push_back({0, ring});
    one.rings.push_back({1, ring});
    return one;
}

struct Case {
    const char* sentence;
    Order ring;
    bool is_same;
    bool is_good;
    std::size_t missing;
};

const Case cases[] = {
    {"the predicted order", {0, 1, 2, 3}, true, true, 0},
    {"another start", {2, 3, 0, 1}, true, true, 0},
    {"the other direction", {0, 3, 2, 1}, true, true, 0},
    {"another order that is as fast", {0, 1, 3, 2}, false, true, 2},
    {"an order that crosses the sockets four times", {0, 2, 1, 3}, false, false, 2},
    {"two GPUs have one ring", {1, 0}, true, true, 0},
};

TEST(RingVerdict, ComparesAsCycles) {
    const domain::Topology box = p4_box();
    for (const Case& test : cases) {
        const auto verdict = judge(communicator(test.ring), box);
        ASSERT_TRUE(verdict.has_value()) << test.sentence;
        ASSERT_EQ(verdict->found.size(), 1u) << test.sentence;
        const FoundRing& found = verdict->found.front();
        EXPECT_EQ(found.channels, (Order{0, 1})) << test.sentence;
        EXPECT_EQ(found.is_same, test.is_same) << test.sentence;
        EXPECT_EQ(verdict->is_good(), test.is_good) << test.sentence;
        EXPECT_EQ(found.missing.size(), test.missing) << test.sentence;
        EXPECT_EQ(found.instead.size(), test.missing) << test.sentence;
    }
}

TEST(RingVerdict, SaysWhatIsLacking) {
    const domain::Topology box = p4_box();
    read::NcclCommunicator silent = communicator({0, 1, 2, 3});
    silent.ranks.pop_back();
    EXPECT_FALSE(judge(silent, box).has_value());
    read::NcclCommunicator foreign = communicator({0, 1, 2, 3});
    foreign.ranks[2].address->bus = 0x99;
    EXPECT_FALSE(judge(foreign, box).has_value());
    foreign.ranks[2].address.reset();  // then the number counts
    EXPECT_TRUE(judge(foreign, box).has_value());
    read::NcclCommunicator twice = communicator({0, 1, 2, 3});
    twice.ranks[2].address = twice.ranks[1].address;
    EXPECT_FALSE(judge(twice, box).has_value());
    read::NcclCommunicator wide = communicator({0, 1, 2, 3});
    wide.ranks[3].host = "g";
    EXPECT_FALSE(judge(wide, box).has_value());
}

// Four nodes of one GPU each; the names interleave between two leaves.
domain::Cluster four_nodes() {
    domain::Cluster cluster;
    cluster.devices.resize(1);
    cluster.parts.push_back(
        {domain::PartKind::fabric, domain::no_part, {Bandwidth(1e9), {}}, "all"});
    for (const char* const leaf : {"leaf0", "leaf1"}) {
        cluster.parts.push_back({domain::PartKind::leaf_switch, 0, {Bandwidth(1e9), {}}, leaf});
    }
    for (std::uint32_t i = 0; i < 4; ++i) {
        cluster.nodes.push_back({"n" + std::to_string(i), {}, 0});
        const auto part = static_cast<std::uint32_t>(cluster.parts.size());
        cluster.parts.push_back(
            {domain::PartKind::node, 1 + i % 2, {Bandwidth(9e9), {}}, cluster.nodes.back().name});
        cluster.gpus.push_back({i, 0, 0, part, true});
    }
    return cluster;
}

TEST(RingVerdict, CountsCrossingsBetweenNodes) {
    const domain::Cluster cluster = four_nodes();
    read::NcclCommunicator wide = communicator({0, 1, 2, 3});
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        wide.ranks[rank] = {rank, "n" + std::to_string(rank) + ".site", 0, 0, std::nullopt};
    }
    const auto by_name = judge(wide, cluster);
    ASSERT_TRUE(by_name.has_value()) << by_name.error().message;
    EXPECT_FALSE(by_name->is_good());
    EXPECT_EQ(by_name->predicted.crossings, 4u);
    EXPECT_EQ(by_name->found[0].figures.crossings, 8u);
    wide.rings = {{0, {0, 2, 3, 1}}};
    const auto by_leaf = judge(wide, cluster);
    ASSERT_TRUE(by_leaf.has_value());
    EXPECT_TRUE(by_leaf->is_good());
    EXPECT_FALSE(by_leaf->found[0].is_same);
    wide.ranks[1].host = "m1";
    EXPECT_FALSE(judge(wide, cluster).has_value());
}

TEST(PredictedRing, PrefersTheFabricToTheParts) {
    domain::Cluster cluster = four_nodes();
    EXPECT_EQ(predict_ring(cluster, Order{0, 1, 2, 3}).best.nodes,
              (std::vector<std::string>{"n0", "n2", "n1", "n3"}));
    cluster.fabric.switches = {{"a", domain::no_fabric_switch}, {"b", domain::no_fabric_switch}};
    cluster.fabric.attached_to = {0, 1, 1, 0};
    const PredictedRing ring = predict_ring(cluster, Order{0, 1, 2, 3});
    EXPECT_EQ(ring.best.nodes, (std::vector<std::string>{"n0", "n3", "n1", "n2"}));
    EXPECT_EQ(ring.best.crossings, 4u);
    EXPECT_EQ(ring.plain.crossings, 4u);
}

}  // namespace
}  // namespace hora::plan
