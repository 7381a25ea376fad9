// Which nodes are alike, whatever their names and what runs on them?
#include "libplanner/read/state/alike_nodes.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace hora::read {
namespace {

using domain::PartKind;

// Three nodes of two GPUs on a switch each; the last one hangs on another leaf.
domain::Cluster three_nodes() {
    domain::Cluster cluster;
    const domain::Link link{Bandwidth(12e9), Seconds(5e-6)};
    cluster.devices.resize(2);
    cluster.parts = {{PartKind::fabric, domain::no_part, link, "fabric"},
                     {PartKind::leaf_switch, 0, link, "one"},
                     {PartKind::leaf_switch, 0, link, "two"}};
    for (const std::uint32_t leaf : {1U, 1U, 2U}) {
        const auto node = static_cast<std::uint32_t>(cluster.nodes.size());
        const auto part = static_cast<std::uint32_t>(cluster.parts.size());
        cluster.nodes.push_back({std::string(1, static_cast<char>('a' + node)), Seconds(1), 8});
        cluster.parts.push_back({PartKind::node, leaf, link, cluster.nodes.back().name});
        cluster.parts.push_back({PartKind::pcie_switch, part, link, ""});
        cluster.gpus.push_back({node, 0, 0, part + 1, true});
        cluster.gpus.push_back({node, 1, 0, part, true});
    }
    return cluster;
}

struct Case {
    const char* sentence;
    std::function<void(domain::Cluster&)> change;
    std::vector<std::uint32_t> alike;
};

const std::vector<std::uint32_t> first_two{0, 0, 2};
const std::vector<std::uint32_t> none{0, 1, 2};

const Case cases[] = {
    {"two on one leaf", [](domain::Cluster&) {}, first_two},
    {"all on one leaf", [](domain::Cluster& cluster) { cluster.parts[7].parent = 1; }, {0, 0, 0}},
    {"GPUs that are busy are GPUs",
     [](domain::Cluster& cluster) { cluster.gpus[0].is_free = false; }, first_two},
    {"another type", [](domain::Cluster& cluster) { cluster.gpus[1].device = 1; }, none},
    {"another number", [](domain::Cluster& cluster) { cluster.gpus[1].index = 2; }, none},
    {"another part of the node", [](domain::Cluster& cluster) { cluster.gpus[1].part = 4; }, none},
    {"another bandwidth inside",
     [](domain::Cluster& cluster) { cluster.parts[4].link.bandwidth = Bandwidth(1e9); }, none},
    {"another latency of the node",
     [](domain::Cluster& cluster) { cluster.parts[3].link.latency = Seconds(1); }, none},
    {"another kind of part",
     [](domain::Cluster& cluster) { cluster.parts[4].kind = PartKind::socket; }, none},
    {"another overhead", [](domain::Cluster& cluster) { cluster.nodes[1].overhead = Seconds(2); },
     none},
    {"a GPU less", [](domain::Cluster& cluster) { cluster.gpus.erase(cluster.gpus.begin() + 1); },
     none},
    {"nodes without GPUs are by themselves", [](domain::Cluster& cluster) { cluster.gpus.clear(); },
     none},
};

TEST(AlikeNodes, DifferInNothingThatIsPlannedBy) {
    for (const Case& test : cases) {
        domain::Cluster cluster = three_nodes();
        test.change(cluster);
        EXPECT_EQ(alike_nodes(cluster), test.alike) << test.sentence;
    }
    EXPECT_TRUE(alike_nodes({}).empty());
}

}  // namespace
}  // namespace hora::read
