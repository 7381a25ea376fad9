// What time limit does a job get that starts at another size?
//
// Slurm gives each start the whole limit of a job. Here a restarted one gets what was left of it:
// by the clock, or in GPU-time (libplanner/elastic/worth/gpu_time.hpp), in which it is longer on
// fewer GPUs than it was stated for. What anybody else sets meanwhile stays.
#pragma once

#include <cstdint>
#include <optional>

#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

// Of a start that runs, or of a job that has not started: its limit, and what that is worth.
void note_limit(ResizeEntry& entry, const slurm::Job& job);

// Once the job is requeued: what the start before has left of both. Nothing is left to set where it
// is to have its limit anew, has none, or it is not known how long it ran.
void take_off_run(ResizeEntry& entry, const slurm::Job& job);

// Whatever the job asks for from now on: the limit of a start on so many GPUs.
void aim_limit(ResizeEntry& entry, const slurm::Job& job, std::uint32_t gpus);

// Is the limit that it is to have not set yet, by us or by the program beside it?
bool is_limit_due(const ResizeEntry& entry, const slurm::Job& job);

// Sets it in the change: `limit`, which in GPU-time is written down with the job.
void put_limit(slurm::JobChange& change, const ResizeEntry& entry, const slurm::Job& job,
               Seconds limit);

}  // namespace hora::horad
