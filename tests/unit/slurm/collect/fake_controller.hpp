// A slurmctld that says what its cluster has, by libslurm's own calls. Defines these: for one file
// of a program.
#pragma once

#include <string>

#include "plugins/slurm/collect/topology_message.hpp"
#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

// As of which second it has a part, and the error of a call that fails.
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

}  // namespace hora::slurm
