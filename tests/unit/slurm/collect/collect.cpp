// Is what slurmctld has answered seen once and surely, also where a call after it fails?
#include "plugins/slurm/collect/collect.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "plugins/slurm/collect/topology_message.hpp"
#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

// What slurmctld has, as of which second, and the error of a call that fails.
struct Part {
    time_t updated = 1;
    int error = 0;
    int answers = 0;
};

struct Controller {
    Part configuration;
    Part nodes;
    Part partitions;
    Part reservations;
    hora::Expected<std::string> topology = std::string();
    int asked_for_topology = 0;
};

Controller controller;
slurm_conf_t configuration{};
node_info_msg_t nodes{};
partition_info_msg_t partitions{};
reserve_info_msg_t reservations{};

template <class Message>
int answer(Part& part, time_t since, Message& message, Message** place) {
    if (part.error != 0) {
        return hora::tests::answer_with(part.error);
    }
    if (since >= part.updated) {
        return hora::tests::answer_with(SLURM_NO_CHANGE_IN_DATA);
    }
    ++part.answers;
    message.last_update = part.updated;
    *place = &message;
    return SLURM_SUCCESS;
}

}  // namespace

extern "C" {

int slurm_load_ctl_conf(time_t since, slurm_conf_t** place) {
    return answer(controller.configuration, since, configuration, place);
}
// One of the two names, by the release.
void slurm_free_ctl_conf(slurm_conf_t* /*configuration*/) {}
void slurm_free_conf(slurm_conf_t* /*configuration*/) {}

int slurm_load_node(time_t since, node_info_msg_t** place, uint16_t /*flags*/) {
    return answer(controller.nodes, since, nodes, place);
}
void slurm_free_node_info_msg(node_info_msg_t* /*message*/) {}

int slurm_load_partitions(time_t since, partition_info_msg_t** place, uint16_t /*flags*/) {
    return answer(controller.partitions, since, partitions, place);
}
void slurm_free_partition_info_msg(partition_info_msg_t* /*message*/) {}

int slurm_load_reservations(time_t since, reserve_info_msg_t** place) {
    return answer(controller.reservations, since, reservations, place);
}
void slurm_free_reservation_info_msg(reserve_info_msg_t* /*message*/) {}

}  // extern "C"

namespace hora::slurm {

Expected<std::string> load_topology_text() {
    ++controller.asked_for_topology;
    return controller.topology;
}

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
