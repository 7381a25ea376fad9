// Does one plan show what a step takes on other numbers of GPUs?
#include "libplanner/elastic/speed/speed_prior.hpp"

#include <gtest/gtest.h>

namespace hora::elastic {
namespace {

domain::Decision planned(std::uint32_t gpus, double compute, double exchange) {
    domain::Decision decision;
    decision.has_plan = true;
    decision.gpus = gpus;
    decision.breakdown.compute = Seconds(compute);
    decision.breakdown.exchange = Seconds(exchange);
    return decision;
}

TEST(SpeedPrior, ComesBackToThePlanAtItsSize) {
    const PlannedSpeed speed = planned_speed(planned(4, 0.25, 0.03), 8);
    ASSERT_EQ(speed.compute.size(), 8U);
    EXPECT_DOUBLE_EQ(speed.compute[3].count(), 0.25);
    EXPECT_DOUBLE_EQ(speed.exchange[3].count(), 0.03);
    EXPECT_DOUBLE_EQ(speed.compute[0].count(), 1);
    EXPECT_DOUBLE_EQ(speed.exchange[0].count(), 0);
    EXPECT_DOUBLE_EQ(speed.exchange[1].count(), 0.02);
}

// One node's worth of GPUs, and what the planner found beyond it.
TEST(SpeedPrior, BelievesWhatWasPricedBeyondThePlan) {
    domain::Decision decision = planned(4, 0.25, 0);
    decision.step_seconds = Seconds(0.25);
    decision.seconds = Seconds(100);
    decision.uses.emplace_back().type = "titanx";
    decision.rejected = {
        {.mode = domain::Mode::sync,
         .gpus = 8,
         .where = "8 x titanx on n[1-2]",
         .seconds = Seconds(300),
         .reason = {}},
        {.mode = domain::Mode::sync,
         .gpus = 6,
         .where = "6 x k80 on n[3-4]",
         .seconds = Seconds(900),
         .reason = {}},
    };
    const PlannedSpeed speed = planned_speed(decision, 8);
    EXPECT_DOUBLE_EQ((speed.compute[7] + speed.exchange[7]).count(), 0.75);
    EXPECT_GT(speed.compute[4] + speed.exchange[4], Seconds(0.25));
    EXPECT_DOUBLE_EQ(speed.exchange[3].count(), 0);
    decision.seconds.reset();
    decision.rejected.front().seconds = Seconds(0.75);
    EXPECT_DOUBLE_EQ(planned_speed(decision, 8).exchange[7].count(), speed.exchange[7].count());
}

TEST(SpeedPrior, ExchangesFasterInsideANode) {
    const domain::Link network{Bandwidth(1e9), Seconds(0)};
    const domain::Link pcie{Bandwidth(10e9), Seconds(0)};
    struct Case {
        const char* name;
        std::uint32_t nodes;
        double bytes;
        std::optional<NodeLinks> links;
        double on_two;  // GPUs, which fit into a node
        double on_four;
    };
    const NodeLinks known{.inside = pcie, .between = network};
    const NodeLinks slower{.inside = network, .between = pcie};
    const Case cases[] = {
        {"a plan of two nodes", 2, 1e8, known, 0.02, 0.3},
        {"of one: that is its exchange", 1, 1e8, known, 0.2, 0.3},
        {"it does not say how much is exchanged", 2, 0, known, 0.2, 0.3},
        {"no links are known", 2, 1e8, {}, 0.2, 0.3},
        {"no faster inside", 2, 1e8, slower, 0.2, 0.3},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        domain::Decision decision = planned(4, 0.25, 0.3);
        decision.nodes = each.nodes;
        decision.exchange.bytes = Bytes(each.bytes);
        const PlannedSpeed speed = planned_speed(decision, 4, 2, each.links);
        EXPECT_DOUBLE_EQ(speed.exchange[1].count(), each.on_two);
        EXPECT_DOUBLE_EQ(speed.exchange[3].count(), each.on_four);
        EXPECT_DOUBLE_EQ(speed.between[1].count(), 0.2);
    }
}

TEST(SpeedPrior, TakesThePlansExchangeBetweenNodesToo) {
    const PlannedSpeed speed = planned_speed(planned(4, 0.25, 0.03), 8);
    ASSERT_EQ(speed.between.size(), 8U);
    EXPECT_DOUBLE_EQ(speed.between[3].count(), 0.03);
    EXPECT_DOUBLE_EQ(speed.between[7].count(), 0.035);
    EXPECT_TRUE(planned_speed(planned(4, 0.25, 0), 8).between.empty()) << "it is hidden";
    EXPECT_TRUE(planned_speed(planned(1, 0.25, 0), 8).between.empty()) << "there is none";
    // What sticks out behind the computation does not hide behind it once more.
    const SpeedCurve curve = seen_speed(planned(4, 0.25, 0.03), 4, 4, {});
    EXPECT_NEAR(curve.step[3].count(), 0.28, 1e-9);
}

TEST(SpeedPrior, APlanForOneGpuHasTheUsualShape) {
    const PlannedSpeed speed = planned_speed(planned(1, 2, 0), 4);
    EXPECT_DOUBLE_EQ(speed.compute[1].count(), 1);
    EXPECT_GT(speed.exchange[1], Seconds(0));
    EXPECT_LT(speed.compute[3] + speed.exchange[3], speed.compute[1] + speed.exchange[1]);
}

TEST(SpeedPrior, WithoutAPlanThereIsAShape) {
    const PlannedSpeed speed = planned_speed(domain::Decision{}, 2);
    ASSERT_EQ(speed.compute.size(), 2U);
    EXPECT_GT(speed.compute[1], Seconds(0));
    EXPECT_EQ(planned_speed(domain::Decision{}, 0).compute.size(), 1U);
}

}  // namespace
}  // namespace hora::elastic
