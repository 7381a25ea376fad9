// Is the start of a job over, and how does slurmd know the processes of one?
//
// Each function that may fail is one call to slurmctld; slurm_init() has been called.
#pragma once

#include <cstdint>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/jobs/job.hpp"

namespace hora::slurm {

// Does the job run in a start that slurmctld, by its clock, has begun since? A job that is resumed
// goes on in its start.
inline bool has_begun_since(const Job& job, std::int64_t time) {
    return time > 0 && job.holds_nodes() && job.started > time;
}

struct JobStart {
    std::uint32_t restarts = 0;  // its SLURM_RESTART_COUNT
    std::int64_t began = 0;      // by slurmctld's clock; 0: not known
};

// Has the job left that start for a later one? slurmctld, killed, may have forgotten a restart: it
// then counts a start that goes on as the one before, and the next one like it.
inline bool has_begun_since(const Job& job, const JobStart& start) {
    return job.restarts > start.restarts || has_begun_since(job, start.began);
}

enum class JobEnd {
    none,  // it goes on
    cancelled,
    other,  // it has gone back to the queue, or is over
};

// Fails where slurmctld does not say.
Expected<JobEnd> end_of_start(std::uint32_t job, const JobStart& start);

// By the cgroup of a step (proctrack/cgroup), which no process leaves.
Expected<bool> tracks_by_cgroups();

}  // namespace hora::slurm
