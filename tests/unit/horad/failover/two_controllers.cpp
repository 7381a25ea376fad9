// Two hosts that may run slurmctld, and what each of them answers to the daemon's looks.
#include "tests/unit/horad/failover/two_controllers.hpp"

#include <unistd.h>

#include <optional>
#include <utility>

#include "tests/unit/slurm/stand_ins.hpp"

namespace hora::tests {
namespace {

std::optional<TwoControllers> state;
slurm_conf_t configuration{};
partition_info_msg_t partitions{};

std::string host_of_tests() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

int load_configuration(slurm_conf_t** answer) {
    TwoControllers& said = controllers();
    if (said.configurations-- <= 0) {
        return answer_with(SLURM_COMMUNICATIONS_CONNECTION_ERROR);
    }
    configuration.control_cnt = 2;
    configuration.control_machine = said.host_words.data();
    configuration.control_addr = said.address_words.data();
    configuration.tcp_timeout = 1;
    configuration.state_save_location = said.state_save_location.data();
    configuration.private_data = said.private_data;
    configuration.slurm_user_id = ::geteuid();
    *answer = said.configuration_error == 0 ? &configuration : nullptr;
    return answer_with(said.configuration_error);
}

}  // namespace

TwoControllers::TwoControllers()
    : hosts{host_of_tests(), "elsewhere.invalid"}, addresses{"198.51.100.1", "198.51.100.2"} {}

void TwoControllers::swap() {
    std::swap(host_words[0], host_words[1]);
}

TwoControllers& restart_controllers() {
    return state.emplace();
}

TwoControllers& controllers() {
    return *state;
}

}  // namespace hora::tests

extern "C" {

int slurm_ping(int place) {
    const auto& is_up = hora::tests::controllers().is_up;
    return is_up.at(static_cast<std::size_t>(place)) ? SLURM_SUCCESS : SLURM_ERROR;
}

int slurm_load_ctl_conf(time_t /*since*/, slurm_conf_t** answer) {
    return hora::tests::load_configuration(answer);
}
// One of the two names, by the release.
void slurm_free_ctl_conf(slurm_conf_t* /*configuration*/) {}
void slurm_free_conf(slurm_conf_t* /*configuration*/) {}

// What a daemon that acts asks for first; there is none.
int slurm_load_jobs(time_t /*since*/, job_info_msg_t** /*answer*/, uint16_t /*flags*/) {
    return hora::tests::answer_with(SLURM_COMMUNICATIONS_CONNECTION_ERROR);
}

int slurm_load_partitions(time_t /*since*/, partition_info_msg_t** answer, uint16_t /*flags*/) {
    const auto& said = hora::tests::controllers();
    const bool does_act = said.is_up[0] || said.has_taken_over;
    *answer = does_act ? &hora::tests::partitions : nullptr;
    return does_act ? SLURM_SUCCESS : SLURM_ERROR;
}
void slurm_free_partition_info_msg(partition_info_msg_t* /*message*/) {}

}  // extern "C"
