// A slurmctld of the tests' own: what it is sent, and what it answers.
#include "tests/unit/watch_job/controller.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "tests/unit/slurm/jobs/plain_record.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace hora::watch {
namespace {

Controller the_controller;
slurm_conf_t configuration{};
node_info_msg_t node_message{};
node_info_t node_record{};

std::string words_of(const job_desc_msg_t& sent) {
    std::string words = sent.job_id_str;
    words += sent.begin_time != 0 ? fmt::format(" begin={}", sent.begin_time) : "";
    words += sent.time_limit != NO_VAL ? fmt::format(" limit={}", sent.time_limit) : "";
    return words;
}

}  // namespace

Controller& controller() {
    return the_controller;
}

slurm_job_info_t running_job() {
    slurm_job_info_t job = slurm::plain_record();
    slurm::job_id(job) = 12;
    job.user_id = geteuid();
    job.job_state = JOB_RUNNING;
    job.requeue = 1;
    job.batch_flag = 1;
    job.nodes = the_controller.node.data();
    job.num_nodes = 1;
    job.start_time = 500;
    job.submit_time = 400;
    return job;
}

}  // namespace hora::watch

hora::tests::JobAnswer& hora::tests::job_answer() {
    return watch::controller();
}

extern "C" {

int slurm_update_job2(job_desc_msg_t* sent, job_array_resp_msg_t** /*answer*/) {
    hora::watch::Controller& controller = hora::watch::controller();
    const std::size_t place = controller.updates.size();
    controller.updates.push_back(hora::watch::words_of(*sent));
    const bool has_error = place < controller.update_errors.size();
    return hora::tests::answer_with(has_error ? controller.update_errors[place] : 0);
}

int slurm_requeue2(char* job, uint32_t flags, job_array_resp_msg_t** /*answer*/) {
    hora::watch::Controller& controller = hora::watch::controller();
    controller.requeued.push_back(fmt::format("{} {}", job, flags));
    if (controller.at_requeue) {
        controller.at_requeue();
    }
    return hora::tests::answer_with(controller.requeue_error);
}

int slurm_load_ctl_conf(time_t /*since*/, slurm_conf_t** answer) {
    hora::watch::Controller& controller = hora::watch::controller();
    hora::watch::configuration.boot_time = controller.booted;
    hora::watch::configuration.control_cnt = controller.controllers;
    hora::watch::configuration.proctrack_type = controller.proctrack.data();
    *answer = &hora::watch::configuration;
    return hora::tests::answer_with(controller.configuration_error);
}

// One of the two names, by the release.
void slurm_free_ctl_conf(slurm_conf_t* /*configuration*/) {}
void slurm_free_conf(slurm_conf_t* /*configuration*/) {}

int slurm_ping(int /*place*/) {
    return hora::watch::controller().is_first_up ? SLURM_SUCCESS : SLURM_ERROR;
}

int slurm_load_node(time_t /*since*/, node_info_msg_t** answer, uint16_t /*flags*/) {
    hora::watch::Controller& controller = hora::watch::controller();
    hora::watch::node_record.name = controller.node.data();
    hora::watch::node_record.slurmd_start_time = controller.slurmd_started;
    hora::watch::node_message.record_count = 1;
    hora::watch::node_message.node_array = &hora::watch::node_record;
    *answer = &hora::watch::node_message;
    return hora::tests::answer_with(controller.node_error);
}

void slurm_free_node_info_msg(node_info_msg_t* /*message*/) {}

}  // extern "C"
