// May this job be resized, and what is written down of it before anything is done?
#pragma once

#include <optional>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

// `job`: empty where slurmctld knows none. Fails in words for a person.
Expected<void> can_begin(const Resize& resize, const std::optional<slurm::Job>& job);

// Its number is the caller's to choose.
ResizeEntry first_entry(const Resize& resize, const slurm::Job& job, slurm::JobShape wanted,
                        Moment now);

}  // namespace hora::horad
