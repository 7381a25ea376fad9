// How many GPUs is a whole node?
#include "libplanner/plan/whole_nodes.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace hora::plan {
namespace {

struct Case {
    const char* sentence;
    std::vector<std::uint32_t> gpus;   // of each node
    std::vector<std::uint32_t> nodes;  // that are asked of
    std::optional<std::uint32_t> each;
};

const Case cases[] = {
    {"all have the same", {4, 4, 4}, {0, 1, 2}, 4},
    {"only those that are asked of count", {4, 8, 4}, {0, 2}, 4},
    {"they differ", {4, 8}, {0, 1}, std::nullopt},
    {"a login node has none", {0, 8}, {0, 1}, 8},
    {"none has any", {0, 0}, {0, 1}, std::nullopt},
    {"no nodes", {4}, {}, std::nullopt},
};

TEST(WholeNodes, AreOfOneSize) {
    for (const Case& test : cases) {
        domain::Cluster cluster;
        for (std::uint32_t node = 0; node < test.gpus.size(); ++node) {
            cluster.nodes.push_back({"n" + std::to_string(node), Seconds(0), 0});
            for (std::uint32_t index = 0; index < test.gpus[node]; ++index) {
                cluster.gpus.push_back({node, index, 0, 0, true});
            }
        }
        EXPECT_EQ(gpus_of_each_node(cluster, test.nodes), test.each) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::plan
