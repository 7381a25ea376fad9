// Is what a step would take predicted for each size, as a plan for that size would say?
#include "scripts/horad/progress/prediction.hpp"

#include <gtest/gtest.h>

#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/model/workload.hpp"
#include "libplanner/plan/choose.hpp"
#include "libplanner/plan/request.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::horad {
namespace {

JobMemory memory_of(const char* model) {
    JobMemory memory;
    memory.options.model = model;
    memory.options.batch = 64;
    memory.decision.has_plan = true;
    memory.decision.mode = domain::Mode::sync;
    memory.decision.gpus = 2;
    memory.decision.nodes = 1;
    memory.decision.breakdown.compute = Seconds(0.8);
    memory.decision.breakdown.exchange = Seconds(0.3);
    memory.decision.correction =
        domain::Correction{.compute = 2, .exchange = 3, .runs = 1, .users = 0};
    return memory;
}

std::optional<domain::Breakdown> predicted(const JobMemory& memory, const HeldSize& size) {
    return predicted_step(memory, size, request::small_cluster(), read::Settings());
}

TEST(Prediction, OfThePlannedSizeIsThePlansWithoutItsCorrection) {
    const auto step = predicted(memory_of("resnet50"), {.gpus = 2, .nodes = 1, .where = "n1"});
    ASSERT_TRUE(step);
    EXPECT_DOUBLE_EQ(step->compute.count(), 0.4);
    EXPECT_DOUBLE_EQ(step->exchange.count(), 0.1);
}

TEST(Prediction, OfAnotherSizeIsThatOfAPlanForIt) {
    const JobMemory memory = memory_of("resnet50");
    domain::Snapshot snapshot = request::small_cluster();
    for (domain::Gpu& gpu : snapshot.cluster.gpus) {
        gpu.is_free = true;
    }
    domain::Request request = plan::request_of(
        memory.options,
        model::to_workload(*model::builtin_network("resnet50"), domain::DataType::fp32),
        read::Settings());
    for (const auto& [gpus, nodes, where] :
         {std::tuple{1U, 1U, "n3"}, {4U, 1U, "n2"}, {8U, 2U, "n[1,3]"}}) {
        request.min_gpus = request.max_gpus = gpus;
        request.min_efficiency = 0;
        request.layout = domain::Layout::uniform;
        request.min_nodes = request.max_nodes = nodes;
        const domain::Plan plan = plan::choose(request, snapshot.cluster);
        ASSERT_TRUE(plan.fits()) << gpus << ": "
                                 << (plan.rejected.empty() ? "" : plan.rejected.front().reason);
        const auto step = predicted(memory, {.gpus = gpus, .nodes = nodes, .where = where});
        ASSERT_TRUE(step) << gpus;
        EXPECT_DOUBLE_EQ(step->compute.count(), plan.breakdown.compute.count()) << gpus;
        EXPECT_DOUBLE_EQ(step->exchange.count(), plan.breakdown.exchange.count()) << gpus;
    }
}

TEST(Prediction, CountsOnTheRateThatTheJobWasTold) {
    JobMemory memory = memory_of("p4-rnn-lm");
    const HeldSize size{.gpus = 4, .nodes = 1, .where = "n1"};
    const auto all = predicted(memory, size);
    memory.decision.exchange.sample_rate = 0.05;
    const auto sampled = predicted(memory, size);
    ASSERT_TRUE(all && sampled);
    EXPECT_LT(sampled->exchange * 2, all->exchange);
    EXPECT_EQ(sampled->compute, all->compute);
}

TEST(Prediction, GoesByTheBatchOfTheStart) {
    const JobMemory memory = memory_of("resnet50");
    HeldSize size{.gpus = 4, .nodes = 1, .where = "n1"};
    const auto small = predicted(memory, size);
    size.batch = 64;
    const auto same = predicted(memory, size);
    size.batch = 256;
    const auto large = predicted(memory, size);
    ASSERT_TRUE(small && same && large);
    EXPECT_EQ(small->compute, same->compute);
    EXPECT_GT(large->compute, small->compute * 3);
    EXPECT_EQ(large->exchange, small->exchange);

    size = {.gpus = 2, .nodes = 1, .where = "n1", .batch = 64};
    EXPECT_DOUBLE_EQ(predicted(memory, size)->compute.count(), 0.4) << "the plan's";
    size.batch = 256;
    ASSERT_TRUE(predicted(memory, size));
    EXPECT_NE(predicted(memory, size)->compute.count(), 0.4);
    EXPECT_FALSE(predicted(memory_of("/home/a/net.onnx"), size))
        << "what a plan says of its own batch";
}

TEST(Prediction, GoesByTheNodesThatTheJobHas) {
    const JobMemory memory = memory_of("resnet50");
    const auto fast = predicted(memory, {.gpus = 4, .nodes = 1, .where = "n1"});
    const auto slow = predicted(memory, {.gpus = 4, .nodes = 1, .where = "n5"});
    ASSERT_TRUE(fast && slow);
    EXPECT_GT(slow->compute, fast->compute * 2);
}

TEST(Prediction, OfAFileScalesThePartsOfItsPlan) {
    const JobMemory memory = memory_of("/home/a/net.onnx");
    const auto step = predicted(memory, {.gpus = 4, .nodes = 1, .where = "n1"});
    ASSERT_TRUE(step);
    EXPECT_DOUBLE_EQ(step->compute.count(), 0.2);
    EXPECT_DOUBLE_EQ(step->exchange.count(), 0.15);
    const auto alone = predicted(memory, {.gpus = 1, .nodes = 1, .where = "n1"});
    ASSERT_TRUE(alone);
    EXPECT_DOUBLE_EQ(alone->exchange.count(), 0);
    EXPECT_FALSE(predicted(memory, {.gpus = 8, .nodes = 2, .where = "n[1-2]"}))
        << "between nodes the plan said nothing";
}

TEST(Prediction, SaysNothingWhereNothingIsKnown) {
    JobMemory memory = memory_of("resnet50");
    EXPECT_FALSE(predicted(memory, {.gpus = 0, .nodes = 0, .where = ""}));
    memory.decision.has_plan = false;
    EXPECT_FALSE(predicted(memory, {.gpus = 4, .nodes = 1, .where = "n1"}));
}

}  // namespace
}  // namespace hora::horad
