// May a request name the reservation that horad makes for the jobs that it restarts?
#pragma once

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/fields.hpp"
#include "plugins/slurm/jobs/restart_name.hpp"

namespace hora::submit {

// With the error ESLURM_RESERVATION_ACCESS.
inline constexpr const char* restart_refusal =
    "the reservation \"hora-restarts\" is for jobs that Hora restarts; leave it out";

// The owner of a job that is restarted has access to it, and could start other jobs on nodes that
// are closed to all others.
inline bool names_restarts(const job_desc_msg_t& job) {
    return job.reservation != nullptr &&
           slurm::names_restart_reservation(slurm::text_of(job.reservation));
}

}  // namespace hora::submit
