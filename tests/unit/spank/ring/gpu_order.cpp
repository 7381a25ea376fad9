#include "plugins/spank/ring/gpu_order.hpp"

#include <gtest/gtest.h>

#include "tests/unit/spank/machine.hpp"

namespace hora::spank {
namespace {

std::vector<std::uint32_t> order_of(const std::vector<std::uint32_t>& gpus, GpuRules rules) {
    return order_gpus(two_pairs(), gpus, rules)->gpus;
}

TEST(GpuOrder, PutsNeighboursNextToEachOther) {
    using Gpus = std::vector<std::uint32_t>;
    const struct {
        const char* sentence;
        Gpus gpus;
        GpuRules rules;
        Gpus expected;
    } cases[] = {
        {"a ring within a node", {0, 1, 2, 3}, {}, {0, 1, 3, 2}},
        {"a path within one of several nodes", {0, 1, 2, 3}, {.is_chain = true}, {0, 2, 1, 3}},
        {"three of four", {0, 1, 3}, {.is_chain = true}, {0, 1, 3}},
        {"a pair", {0, 2}, {}, {0, 2}},
        {"one GPU", {3}, {}, {3}},
        {"an order that is only asked about", {0, 1, 2, 3}, {.may_move = false}, {0, 1, 2, 3}},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(order_of(c.gpus, c.rules), c.expected) << c.sentence;
    }
}

TEST(GpuOrder, TellsItsSlowestLink) {
    EXPECT_EQ(order_gpus(two_pairs(), {0, 2}, {})->bottleneck, Bandwidth(12e9));
    EXPECT_EQ(order_gpus(two_pairs(), {0, 1, 2, 3}, {})->bottleneck, Bandwidth(6e9));
    EXPECT_EQ(order_gpus(two_pairs(), {1}, {})->bottleneck, Bandwidth(0));
}

TEST(GpuOrder, FailsOnAnotherMachinesTopology) {
    const auto order = order_gpus(two_pairs(), {2, 6}, {});
    ASSERT_FALSE(order);
    EXPECT_EQ(order.error().message,
              "it has 4 GPUs, and the step has GPU 6; is it this node's, from 'hora topology "
              "--local --json'?");
}

TEST(GpuOrder, ListsAreReadAndReordered) {
    EXPECT_EQ(read_gpu_list("0,3,12"), (std::vector<std::uint32_t>{0, 3, 12}));
    for (const char* const wrong : {"", "0,", "0-3", "GPU-1", "-1", "0, 1"}) {
        EXPECT_EQ(read_gpu_list(wrong), std::nullopt) << wrong;
    }
    EXPECT_EQ(reorder("0,GPU-5d,2", {2, 0, 1}), "2,0,GPU-5d");
    EXPECT_EQ(reorder("0,1", {2, 0, 1}), std::nullopt);
}

}  // namespace
}  // namespace hora::spank
