// What slurmctld answers to the calls of plugins/slurm/messages.hpp and its neighbours.
#include "tests/unit/slurm/answers.hpp"

#include <optional>

#include "plugins/slurm/compat.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace hora::tests {
namespace {

std::optional<Answers> state;
node_info_msg_t nodes{};
partition_info_msg_t partitions{};
reserve_info_msg_t reservations{};
assoc_mgr_info_msg_t limits{};

template <class Message>
int answer(Message& message, Message** place) {
    if (answers().error == 0 && !answers().is_empty) {
        *place = &message;
    }
    return answer_with(answers().error);
}

}  // namespace

Answers::Answers() {
    load_error = 0;
}

Answers& restart_answers() {
    return state.emplace();
}

Answers& answers() {
    return *state;
}

JobAnswer& job_answer() {
    return *state;
}

}  // namespace hora::tests

using hora::tests::answer;
using hora::tests::answers;

extern "C" {

int slurm_ping(int place) {
    const auto at = static_cast<std::size_t>(place);
    return at < answers().is_up.size() && answers().is_up[at] ? SLURM_SUCCESS : SLURM_ERROR;
}

int slurm_load_ctl_conf(time_t /*since*/, slurm_conf_t** place) {
    return answer(answers().configuration, place);
}
// One of the two names, by the release.
void slurm_free_ctl_conf(slurm_conf_t* /*configuration*/) {}
void slurm_free_conf(slurm_conf_t* /*configuration*/) {}

int slurm_load_node(time_t /*since*/, node_info_msg_t** place, uint16_t /*flags*/) {
    hora::tests::nodes.record_count = static_cast<std::uint32_t>(answers().nodes.size());
    hora::tests::nodes.node_array = answers().nodes.data();
    return answer(hora::tests::nodes, place);
}
void slurm_free_node_info_msg(node_info_msg_t* /*message*/) {}

int slurm_load_partitions(time_t /*since*/, partition_info_msg_t** place, uint16_t /*flags*/) {
    return answer(hora::tests::partitions, place);
}
void slurm_free_partition_info_msg(partition_info_msg_t* /*message*/) {}

int slurm_load_reservations(time_t /*since*/, reserve_info_msg_t** place) {
    return answer(hora::tests::reservations, place);
}
void slurm_free_reservation_info_msg(reserve_info_msg_t* /*message*/) {}

int slurm_load_assoc_mgr_info(assoc_mgr_info_request_msg_t* /*request*/,
                              assoc_mgr_info_msg_t** place) {
    return answer(hora::tests::limits, place);
}
void slurm_free_assoc_mgr_info_msg(assoc_mgr_info_msg_t* /*message*/) {}

char* slurm_sprint_node_table(node_info_t* /*node*/, int /*one_liner*/) {
    return answers().printed_node == nullptr ? nullptr : slurm_xstrdup(answers().printed_node);
}

}  // extern "C"
