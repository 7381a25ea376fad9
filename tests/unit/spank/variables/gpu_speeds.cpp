#include "plugins/spank/variables/gpu_speeds.hpp"

#include <gtest/gtest.h>

namespace hora::spank {
namespace {

struct Case {
    const char* sentence;
    std::vector<std::uint32_t> tasks_per_node;
    std::vector<NodeGpus> gpus;
    std::vector<double> speeds;
};

const Case cases[] = {
    {"a task a GPU", {2, 1}, {{"n0", {"fast", "fast"}}, {"n1", {"slow"}}}, {4, 4, 1}},
    {"one task has all of a node", {1, 1}, {{"n0", {"fast", "fast"}}, {"n1", {"slow"}}}, {8, 1}},
    {"types mixed in a node go by index", {2}, {{"n0", {"slow", "fast"}}}, {1, 4}},
    {"three GPUs for two tasks", {2}, {{"n0", {"slow", "fast", "fast"}}}, {1, 8}},
    {"two tasks share a GPU", {2}, {{"n0", {"fast"}}}, {2, 2}},
    {"three tasks share two GPUs", {3}, {{"n0", {"fast", "slow"}}}, {2, 2, 1}},
    {"the order of the list does not matter", {1, 1}, {{"n1", {"slow"}}, {"n0", {"fast"}}}, {4, 1}},
    {"an unknown type: no guess", {1, 1}, {{"n0", {"fast"}}, {"n1", {"other"}}}, {}},
    {"an unknown node: no guess", {1, 1}, {{"n0", {"fast"}}}, {}},
    {"a node without GPUs: no guess", {1, 1}, {{"n0", {"fast"}}, {"n1", {}}}, {}},
};

TEST(GpuSpeeds, FollowTheAllocation) {
    const std::vector<read::TypeSpeed> speeds{{"fast", 4}, {"slow", 1}};
    for (const Case& test : cases) {
        StepLayout layout;
        layout.tasks_per_node = test.tasks_per_node;
        for (std::size_t node = 0; node < test.tasks_per_node.size(); ++node) {
            layout.nodes.push_back("n" + std::to_string(node));
        }
        EXPECT_EQ(task_speeds(layout, test.gpus, speeds), test.speeds) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::spank
