// Is what slurmctld has answered seen once and surely, also where a call after it fails?
#include "plugins/slurm/collect/collect.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/unit/slurm/collect/fake_controller.hpp"

namespace hora::slurm {
namespace {

class CollectorTest : public testing::Test {
  protected:
    CollectorTest() : collector(SiteFacts{}) {
        controller = {};
        EXPECT_EQ(refresh(), true);
    }

    Expected<bool> refresh() { return collector.refresh(now); }
    // What stands in the picture of the cluster for its administrator.
    std::vector<std::string> remarks() const { return collector.collected(0)->remarks; }

    Collector collector;
    Collector::Clock::time_point now{};
};

TEST_F(CollectorTest, SaysOnceThatSomethingIsNew) {
    EXPECT_EQ(refresh(), false);
    for (Part* const part : {&controller.configuration, &controller.nodes, &controller.partitions,
                             &controller.reservations}) {
        ++part->updated;
        EXPECT_EQ(refresh(), true);
        EXPECT_EQ(refresh(), false);
        EXPECT_EQ(part->answers, 2);
    }
}

TEST_F(CollectorTest, KeepsTheNewsOfACallWhereALaterOneFails) {
    ++controller.nodes.updated;
    controller.reservations.error = ETIMEDOUT;
    EXPECT_FALSE(refresh().has_value());
    EXPECT_FALSE(refresh().has_value());
    EXPECT_EQ(controller.nodes.answers, 2);
    controller.reservations.error = 0;
    EXPECT_EQ(refresh(), true);
    EXPECT_EQ(refresh(), false);
}

TEST_F(CollectorTest, AsksForTheSwitchesOfAConfigurationBehindWhichACallFailed) {
    ++controller.configuration.updated;
    controller.nodes.error = ETIMEDOUT;
    EXPECT_FALSE(refresh().has_value());
    EXPECT_EQ(controller.asked_for_topology, 1);
    controller.nodes.error = 0;
    EXPECT_EQ(refresh(), true);
    EXPECT_EQ(controller.asked_for_topology, 2);
}

TEST_F(CollectorTest, AsksForTheSwitchesAgainUntilTheyAreKnown) {
    controller.topology = failure("no answer");
    ++controller.configuration.updated;
    EXPECT_EQ(refresh(), true);
    EXPECT_EQ(remarks().size(), 1U);
    EXPECT_EQ(refresh(), false);
    EXPECT_EQ(controller.asked_for_topology, 2) << "not at every look";
    now += std::chrono::minutes(2);
    EXPECT_EQ(refresh(), false);
    EXPECT_EQ(controller.asked_for_topology, 3);
    controller.topology = std::string();
    now += std::chrono::minutes(2);
    EXPECT_EQ(refresh(), true);
    EXPECT_TRUE(remarks().empty());
    now += std::chrono::minutes(2);
    EXPECT_EQ(refresh(), false);
    EXPECT_EQ(controller.asked_for_topology, 4) << "never without need";
}

}  // namespace
}  // namespace hora::slurm
