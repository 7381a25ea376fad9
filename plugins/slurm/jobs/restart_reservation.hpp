// Which nodes does Slurm keep for the jobs that Hora restarts?
//
// As a job goes back to the queue at its checkpoint, all that it held is open to others for the
// second or two until it may begin again. A reservation of its nodes closes them meanwhile. There
// is one for all jobs, since of two on one node each would keep the job of the other out. Jobs that
// run on these nodes run on; the jobs in it may start on other nodes as well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/slurm/jobs/resize_job.hpp"

namespace hora::slurm {

struct ReservedNodes {
    std::string nodes;                 // "n[1-2],n4"
    std::vector<std::uint32_t> users;  // whose jobs are restarted; ascending
    std::int64_t until = 0;            // by slurmctld's clock; nothing is held when it ends

    friend bool operator==(const ReservedNodes&, const ReservedNodes&) = default;
};

// Makes it, or makes it so. Refused where other reservations have one of the nodes, and where the
// caller is no operator; `unreachable` also where a job of a user is in it who is no longer named.
Answered reserve_for_restarts(const ReservedNodes& reserved);

// Done where there is none; `unreachable` also while a job is in it.
Answered end_restart_reservation();

}  // namespace hora::slurm
