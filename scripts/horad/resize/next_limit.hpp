// How much of its time limit does a job get that is restarted at another size?
#pragma once

#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

// Of a job that waits to be restarted, by what was written down about the start before. 0: as it
// is, since it is to have it anew, has none, or nobody knows how long it ran.
Seconds next_limit(const ResizeEntry& entry, const slurm::Job& job);

// Once a start: by the program beside the job, or by us. What anybody else has set stays.
bool is_limit_due(const ResizeEntry& entry, const slurm::Job& job);

}  // namespace hora::horad
