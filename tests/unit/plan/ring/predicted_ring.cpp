// Is the ring of a job shown link by link, the plain one beside the best?
#include "libplanner/plan/ring/predicted_ring.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "libplanner/read/cluster/cluster_builder.hpp"
#include "tests/unit/plan/ring/p4_box.hpp"

namespace hora::plan {
namespace {

using Order = std::vector<std::uint32_t>;

// "0 1 2 | pix 12 sys 6", or with nodes "a:0 a:1 b:0 | …"; in GB/s.
std::string text_of(const RingFigures& ring) {
    std::string text;
    for (const RingStop& stop : ring.stops) {
        text += fmt::format("{}{}{} ", stop.node, stop.node.empty() ? "" : ":", stop.gpu);
    }
    text += "|";
    for (std::size_t i = 0; i < ring.links.size(); ++i) {
        EXPECT_EQ(ring.links[i].a, i);
        EXPECT_EQ(ring.links[i].b, (i + 1) % ring.stops.size());
        text += fmt::format(" {} {:g}", ring.links[i].kind, ring.links[i].bandwidth.count() / 1e9);
    }
    return text;
}

TEST(PredictedRing, OfOneMachine) {
    const domain::Topology box = tests::p4_box();
    struct Case {
        const char* sentence;
        Order gpus;
        const char* best;
        const char* plain;
        double bottleneck;
        double pace;
    };
    const Case cases[] = {
        {"no GPU", {}, "|", "|", 0, 0},
        {"one has no link", {2}, "2 |", "2 |", 0, 0},
        {"two have one", {1, 0}, "0 1 | pix 12", "0 1 | pix 12", 12, 12},
        {"all of them, whatever their order",
         {3, 0, 2, 1},
         "0 1 2 3 | pix 12 sys 6 pix 12 sys 6",
         "0 1 2 3 | pix 12 sys 6 pix 12 sys 6",
         6,
         6},
    };
    for (const Case& test : cases) {
        const PredictedRing ring = predict_ring(box, test.gpus);
        EXPECT_EQ(text_of(ring.best), test.best) << test.sentence;
        EXPECT_EQ(text_of(ring.plain), test.plain) << test.sentence;
        EXPECT_EQ(ring.best.bottleneck.count(), test.bottleneck * 1e9) << test.sentence;
        EXPECT_EQ(ring.best.pace->count(), test.pace * 1e9) << test.sentence;
        EXPECT_FALSE(ring.best.crossings) << test.sentence;
        EXPECT_TRUE(ring.best.nodes.empty()) << test.sentence;
    }
    const RingFigures bad = figures_of(box, {0, 2, 1, 3});
    EXPECT_EQ(text_of(bad), "0 2 1 3 | sys 6 sys 6 sys 6 sys 6");
    EXPECT_EQ(bad.pace->count(), 3e9) << "what two links share";
}

TEST(PredictedRing, OfAMachineWhosePathsAreNotKnown) {
    domain::Topology box = tests::p4_box();
    box.paths.clear();
    EXPECT_EQ(text_of(predict_ring(box, Order{2, 0, 1}).best), "0 1 2 | sys 0 sys 0 sys 0");
}

// Boxes of two switches, two GPUs on each, on two leaves: a and c on one, b and d on the other.
domain::Cluster four_boxes() {
    read::ClusterDescription description;
    domain::Device device;
    device.name = "titanx";
    device.peak[0] = FlopRate(11e12);
    device.memory_bandwidth = Bandwidth(480e9);
    device.pcie = Bandwidth(12e9);
    description.devices = {device};
    description.network = {Bandwidth(1e9), Seconds(2e-5)};
    description.layouts = {read::switched_layout(4, 2, read::pcie_link(Bandwidth(12e9)),
                                                 read::pcie_link(Bandwidth(6e9)))};
    for (const char* name : {"top", "one", "two"}) {
        read::SwitchDescription one;
        one.name = name;
        one.parent = description.switches.empty() ? read::no_switch : 0;
        description.switches.push_back(one);
    }
    for (const std::uint32_t leaf : {1U, 2U, 1U, 2U}) {
        read::NodeDescription node;
        node.name = std::string(1, static_cast<char>('a' + description.nodes.size()));
        node.devices.assign(4, 0);
        node.attached_to = leaf;
        description.nodes.push_back(node);
    }
    return read::build_cluster(std::move(description)).value();
}

TEST(PredictedRing, OfSeveralNodesEntersEachLeafOnce) {
    const domain::Cluster cluster = four_boxes();
    const PredictedRing ring = predict_ring(cluster, Order{4, 0, 8, 12});
    EXPECT_EQ(ring.plain.nodes, (std::vector<std::string>{"b", "a", "c", "d"}));
    EXPECT_EQ(ring.best.nodes, (std::vector<std::string>{"b", "d", "a", "c"}));
    EXPECT_EQ(ring.best.crossings, 4U);
    EXPECT_EQ(text_of(ring.best), "b:0 d:0 a:0 c:0 | net 1 net 1 net 1 net 1");
    EXPECT_EQ(ring.best.bottleneck.count(), 1e9);
    EXPECT_FALSE(ring.best.pace);
    const PredictedRing worse = predict_ring(cluster, Order{0, 4, 8, 12});
    EXPECT_EQ(worse.plain.crossings, 8U);
    EXPECT_EQ(worse.best.crossings, 4U);
}

TEST(PredictedRing, KeepsTheGpusOfANodeTogether) {
    const domain::Cluster cluster = four_boxes();
    const PredictedRing ring = predict_ring(cluster, Order{3, 4, 0, 2, 1});
    EXPECT_EQ(text_of(ring.plain), "a:0 a:1 a:2 a:3 b:0 | pix 12 phb 6 pix 12 net 1 net 1");
    EXPECT_EQ(text_of(ring.best), text_of(ring.plain));
    EXPECT_EQ(text_of(predict_ring(cluster, Order{1, 0}).best), "a:0 a:1 | pix 12");
    EXPECT_EQ(text_of(predict_ring(cluster, Order{1}).best), "a:1 |");
}

TEST(PredictedRing, NamesLinksInsideANode) {
    domain::Cluster cluster = four_boxes();
    const auto kind = [&] { return figures_of(cluster, {0, 2}).links.front().kind; };
    EXPECT_EQ(kind(), "phb");
    for (domain::Part& part : cluster.parts) {
        if (part.kind == domain::PartKind::pcie_switch) {
            part.kind = domain::PartKind::socket;
        }
    }
    EXPECT_EQ(kind(), "sys") << "between sockets";
    EXPECT_EQ(figures_of(cluster, {0, 1}).links.front().kind, "node") << "inside one";
    cluster.devices[0].nvlink = Bandwidth(50e9);
    cluster.devices[0].pcie = Bandwidth(6e9);
    EXPECT_EQ(kind(), "sys") << "a link no faster than PCIe is none of NVLink";
    cluster.devices[0].pcie = Bandwidth(5e9);
    EXPECT_EQ(kind(), "nvlink");
    EXPECT_EQ(figures_of(cluster, {0, 4}).links.front().kind, "net") << "another node";
}

TEST(PredictedRing, MakesAFabricOfTheParts) {
    domain::Cluster cluster = four_boxes();
    domain::Fabric own;
    own.switches = {{"own", domain::no_fabric_switch}};
    own.attached_to = {0, 0, 0, 0};
    cluster.fabric = own;
    EXPECT_EQ(fabric_of(cluster), own);
    cluster.fabric = {};
    const domain::Fabric made = fabric_of(cluster);
    ASSERT_EQ(made.attached_to.size(), 4U);
    EXPECT_EQ(made.attached_to[0], made.attached_to[2]);
    EXPECT_EQ(made.attached_to[1], made.attached_to[3]);
    EXPECT_NE(made.attached_to[0], made.attached_to[1]);
    const domain::FabricSwitch& leaf = made.switches[made.attached_to[0]];
    const domain::FabricSwitch& other = made.switches[made.attached_to[1]];
    EXPECT_EQ(leaf.name, "one");
    EXPECT_EQ(leaf.parent, other.parent);
    ASSERT_NE(leaf.parent, domain::no_fabric_switch);
    for (std::size_t i = 0; i < made.switches.size(); ++i) {
        EXPECT_TRUE(made.switches[i].parent == domain::no_fabric_switch ||
                    made.switches[i].parent < i);
    }
}

}  // namespace
}  // namespace hora::plan
