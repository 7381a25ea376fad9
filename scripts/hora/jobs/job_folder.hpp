// Which folder has the checkpoints, the progress and the record of a job?
// Setting: "checkpoint.path".
#pragma once

#include <cstdint>
#include <string>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/find_job.hpp"

namespace hora::scripts {

// `submitted` as it was noted on submit; 0: as Slurm says, which is another one after a requeue.
// Fails where the template of the site says nothing of use.
Expected<std::string> job_folder(const slurm::FoundJob& job, std::int64_t submitted);

}  // namespace hora::scripts
