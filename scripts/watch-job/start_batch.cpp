// Which global batch has horad given this start of a job?
#include "scripts/watch-job/start_batch.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "plugins/slurm/jobs/batch_word.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"

namespace hora::watch {

int print_batch(std::uint32_t job) {
    const auto found = slurm::look_at(job);
    if (!found || !*found) {
        fmt::print(stderr, "hora: {}\n",
                   found ? fmt::format("slurmctld knows no job {}", job) : found.error().message);
        return 1;
    }
    const auto batch = slurm::batch_word((*found)->admin_comment);
    fmt::print("{}\n", batch ? std::to_string(*batch) : std::string());
    return 0;
}

}  // namespace hora::watch
