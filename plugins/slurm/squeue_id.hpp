// How does squeue call a job: "12", "12_3", "12_[4-7]" (tasks that wait), "12+1"?
#pragma once

#include <fmt/format.h>

#include <string>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

inline std::string squeue_id(const slurm_job_info_t& job) {
    constexpr std::size_t longest_list = 64;
    if (job.array_job_id != 0 && job.array_task_str != nullptr) {
        return fmt::format("{}_[{}]", job.array_job_id,
                           text_of(job.array_task_str).substr(0, longest_list));
    }
    if (job.array_job_id != 0) {
        return fmt::format("{}_{}", job.array_job_id, job.array_task_id);
    }
    return job.het_job_id != 0 ? fmt::format("{}+{}", job.het_job_id, job.het_job_offset)
                               : fmt::format("{}", job_id(job));
}

}  // namespace hora::slurm
