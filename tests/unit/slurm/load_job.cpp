// A stand-in of slurm_load_job(), for tests that say what slurmctld answers.
#include "tests/unit/slurm/load_job.hpp"

#include "tests/unit/slurm/stand_ins.hpp"

namespace {

job_info_msg_t job_message{};

std::uint32_t number_of(std::uint32_t job) {
    return job;
}

template <class StepId>
std::uint32_t number_of(const StepId& step) {
    return step.job_id;
}

}  // namespace

extern "C" {

int slurm_load_job(job_info_msg_t** answer,
                   hora::tests::SecondArgument<decltype(slurm_load_job)>::Type job,
                   uint16_t /*flags*/) {
    hora::tests::JobAnswer& said = hora::tests::job_answer();
    said.loaded.push_back(number_of(job));
    if (said.at_look) {
        said.at_look();
    }
    if (said.load_error != 0) {
        return hora::tests::answer_with(said.load_error);
    }
    if (!said.has_message) {
        return SLURM_SUCCESS;
    }
    job_message.last_update = said.clock;
    job_message.record_count = static_cast<std::uint32_t>(said.jobs.size());
    job_message.job_array = said.jobs.data();
    *answer = &job_message;
    return SLURM_SUCCESS;
}

void slurm_free_job_info_msg(job_info_msg_t* /*message*/) {}

}  // extern "C"
