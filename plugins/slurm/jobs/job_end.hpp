// Is the start of a job over, and how does slurmd know the processes of one?
//
// Each function is one call to slurmctld; slurm_init() has been called.
#pragma once

#include <cstdint>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

enum class JobEnd {
    none,  // it goes on
    cancelled,
    other,  // it has gone back to the queue, or is over
};

// Of the start with that SLURM_RESTART_COUNT. Fails where slurmctld does not say.
Expected<JobEnd> end_of_start(std::uint32_t job, std::uint32_t restarts);

// By the cgroup of a step (proctrack/cgroup), which no process leaves.
Expected<bool> tracks_by_cgroups();

}  // namespace hora::slurm
