// Which jobs does slurmctld have, and in what state is each?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/jobs/job.hpp"

namespace hora::slurm {

struct JobList {
    std::int64_t updated = 0;  // for the next load_jobs()
    std::vector<Job> jobs;     // ascending by id; a record each array that is not split up
};

// Empty where nothing has changed since `updated` of an earlier list (0: always a list).
// slurm_init() has been called.
Expected<std::optional<JobList>> load_jobs(std::int64_t updated);

}  // namespace hora::slurm
