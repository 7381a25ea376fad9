// When may a requeued job begin? By what slurmctld and its nodes make of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plugins/slurm/jobs/resize_job.hpp"

namespace hora::slurm {

// In seconds: a job that begins sooner after a start of slurmctld may find nodes that have not told
// it of their GPUs yet; its first srun then fails, and its script goes on without it.
constexpr std::int64_t settling_time = 10;

// In seconds: a node refuses a start that seems older than the job's last end for as long as a
// credential holds; Slurm itself keeps to that, too.
constexpr std::int64_t memory_of_nodes = 121;

// In seconds: slurmctld tries to deliver what a slurmd has not taken once a minute, and a little.
constexpr std::int64_t time_of_delivery = 70;

// A slurmd that was started since a job's last run began may not have been told of the end of that
// yet; told later, it would end the next one. The job does not show it: it is in the queue as soon
// as that slurmd has said that it runs nothing of it. When it is told at the latest; 0: it was.
// `began`: that run, 0: not known; `slurmd_started`: the newest of its nodes.
constexpr std::int64_t told_by(std::int64_t began, std::int64_t slurmd_started) {
    return slurmd_started < began ? 0 : slurmd_started + time_of_delivery;
}

// The latest that slurmctld's clock is known to have shown, by one look at a job. Slurm writes down
// as the submission of a requeued job when its last run was cleaned up, which may have been while
// it was not looked at.
inline std::int64_t latest_shown(const Job& job, bool is_requeued) {
    return is_requeued ? std::max(job.updated, job.submitted) : job.updated;
}

// Never in the second of its end: Slurm would take the new start for the old one, and fail it.
// `clock` is slurmctld's, `latest` the latest that it has shown about the requeue and since. Where
// it has been set back that second is to come yet, maybe one after the latest that was seen; but
// nodes forget an end after a while.
inline std::int64_t next_begin(std::int64_t clock, std::int64_t latest) {
    return clock >= latest ? clock + 1 : std::min(latest + 2, clock + memory_of_nodes);
}

}  // namespace hora::slurm
