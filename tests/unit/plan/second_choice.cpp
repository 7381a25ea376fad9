// Does the plan take the GPUs that lie closest together, and say what the next best would cost?
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "libplanner/plan/choose.hpp"
#include "libplanner/read/cluster/cluster_builder.hpp"

namespace hora::plan {
namespace {

using read::switched_layout;

// P4's box, twice, with more exchange than compute; `busy` by node.
domain::Cluster two_boxes(const std::vector<std::vector<std::uint32_t>>& busy) {
    read::ClusterDescription description;
    domain::Device device;
    device.name = "titanx";
    device.peak[0] = FlopRate(11e12);
    device.memory_bandwidth = Bandwidth(480e9);
    device.pcie = Bandwidth(5.96e9);
    description.devices = {device};
    description.network = {Bandwidth(1e9), Seconds(2e-5)};
    description.layouts = {switched_layout(4, 2, read::pcie_link(Bandwidth(5.96e9)),
                                           read::pcie_link(Bandwidth(4.46e9)))};
    for (const std::vector<std::uint32_t>& of_node : busy) {
        read::NodeDescription node;
        node.name = fmt::format("n{}", description.nodes.size() + 1);
        node.devices.assign(4, 0);
        node.busy = of_node;
        description.nodes.push_back(node);
    }
    return read::build_cluster(std::move(description)).value();
}

domain::Request of_size(std::uint32_t gpus) {
    domain::Request request;
    request.workload.layers = {{100'000'000, 200'000'000, 1'000'000}};
    request.batch = 48;
    request.samples = 480;
    request.epochs = 1;
    request.min_gpus = gpus;
    request.max_gpus = gpus;
    request.cost.overlap = false;
    return request;
}

// "n1:0 n1:1"
std::string text_of(const domain::Cluster& cluster, const domain::Plan& plan) {
    std::vector<std::string> words;
    for (const domain::Member& member : plan.members) {
        const domain::Gpu& gpu = cluster.gpus[member.gpu];
        words.push_back(fmt::format("{}:{}", cluster.nodes[gpu.node].name, gpu.index));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

struct Case {
    const char* sentence;
    std::uint32_t gpus;
    std::vector<std::vector<std::uint32_t>> busy;
    const char* chosen;
    const char* second;  // where; empty: there is none
    const char* reason;
};

const Case cases[] = {
    {"one GPU goes beside a busy one", 1, {{}, {2}}, "n2:3", "", ""},
    {"one GPU of an idle node, where none is broken", 1, {{}, {}}, "n1:0", "", ""},
    {"a pair on another node, not across switches on this",
     2,
     {{0, 2}, {}},
     "n2:0 n2:1",
     "2 x titanx across switches on n2",
     "1.32 times as long"},
    {"the pair of a node that is broken already",
     2,
     {{}, {1}},
     "n2:2 n2:3",
     "2 x titanx across switches on n2",
     "1.32 times as long"},
    {"no pair is free anywhere",
     2,
     {{0, 2}, {1, 3}},
     "n1:1 n1:3",
     "2 x titanx on n[1-2]",
     "4.36 times as long"},
    {"three of a box with one busy, as that breaks nothing",
     3,
     {{}, {0}},
     "n2:1 n2:2 n2:3",
     "3 x titanx on n[1-2]",
     ""},
    {"a box", 4, {{0}, {}}, "n2:0 n2:1 n2:2 n2:3", "4 x titanx on n[1-2]", ""},
    {"a pair on each of two boxes", 4, {{1}, {2}}, "n1:2 n1:3 n2:0 n2:1", "", ""},
    {"six: a box and a pair", 6, {{}, {0}}, "n1:0 n1:1 n1:2 n2:1 n2:2 n2:3", "", ""},
    {"eight are all there are", 8, {{}, {}}, "n1:0 n1:1 n1:2 n1:3 n2:0 n2:1 n2:2 n2:3", "", ""},
};

TEST(Closeness, DecidesBetweenSetsOfOneSize) {
    for (const Case& test : cases) {
        const domain::Cluster cluster = two_boxes(test.busy);
        const domain::Plan plan = choose(of_size(test.gpus), cluster);
        EXPECT_EQ(text_of(cluster, plan), test.chosen) << test.sentence;
        const std::string second = plan.rejected.empty() ? "" : plan.rejected.front().where;
        EXPECT_EQ(second, test.second) << test.sentence;
        if (*test.reason != '\0') {
            ASSERT_FALSE(plan.rejected.empty()) << test.sentence;
            EXPECT_EQ(plan.rejected.front().reason, test.reason) << test.sentence;
        }
    }
}

TEST(Closeness, KeepsToTheLayoutOfTheRequest) {
    const domain::Cluster cluster = two_boxes({{}, {}});
    domain::Request request = of_size(4);
    request.layout = domain::Layout::uniform;
    request.gpus_per_node = 4;
    const domain::Plan plan = choose(request, cluster);
    EXPECT_EQ(text_of(cluster, plan), "n1:0 n1:1 n1:2 n1:3");
    EXPECT_TRUE(plan.rejected.empty()) << plan.rejected.front().where;
    request.gpus_per_node = 2;
    EXPECT_EQ(text_of(cluster, choose(request, cluster)), "n1:0 n1:1 n2:0 n2:1");
}

}  // namespace
}  // namespace hora::plan
