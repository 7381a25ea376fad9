// With which global batch does a job start at another size?
#pragma once

#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

// As the word of the job's comment has it when the resize is begun.
void note_batch(ResizeEntry& entry, const slurm::Job& job);

// Is the word another one than the job is to have? That of a resize that leaves the batch stays
// what anybody writes, except where the job falls back to fewer GPUs than it ever had.
bool is_batch_due(const ResizeEntry& entry, const slurm::Job& job);

// Sets it in the change, beside what that has of the comment already.
void put_batch(slurm::JobChange& change, const ResizeEntry& entry, const slurm::Job& job);

// Puts the word back that it had before, unless somebody has written another one since.
void put_back_batch(slurm::JobChange& change, const ResizeEntry& entry, const slurm::Job& job);

}  // namespace hora::horad
