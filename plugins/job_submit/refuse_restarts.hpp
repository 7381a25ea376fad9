// May a request name the reservation that horad keeps nodes with?
#pragma once

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/fields.hpp"
#include "plugins/slurm/jobs/restart_name.hpp"

namespace hora::submit {

inline constexpr const char* of_restarts =
    "hora: the reservation \"hora-restarts\" is for jobs that Hora restarts; leave it out";

// Those who own a job that is restarted have access to it, as Slurm sees it, and their other jobs
// would start on nodes that are closed to everybody else.
inline bool names_restarts(const job_desc_msg_t& job) {
    return job.reservation != nullptr &&
           slurm::names_restart_reservation(slurm::text_of(job.reservation));
}

// Slurm's answer to one that does.
inline int refuse_restarts(char** message) {
    if (message != nullptr) {
        slurm::set_string(*message, of_restarts);
    }
    return ESLURM_RESERVATION_ACCESS;
}

}  // namespace hora::submit
