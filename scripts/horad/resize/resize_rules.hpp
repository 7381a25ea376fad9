// What of a job's request has its owner fixed, and what follows the number of its GPUs?
#pragma once

#include <cstdint>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// By what Hora wrote down when it rewrote the request.
struct ResizeRules {
    std::string gpu_type;             // "" where the request names none
    std::uint32_t gpus_per_node = 0;  // 0: free
    std::uint32_t least_nodes = 1;
    std::uint32_t most_nodes = domain::unlimited_nodes;
    std::uint32_t tasks_per_node = 0;  // 0: one a GPU
    std::uint32_t cpus_per_task = 1;
    std::uint32_t gpus_of_task = 0;  // a launcher's, to which these CPUs go; 0: any number
    bool is_balanced = false;

    // On a node with so many GPUs.
    std::uint32_t tasks_with(std::uint32_t gpus) const {
        return tasks_per_node > 0 ? tasks_per_node : gpus;
    }
    std::uint32_t cpus_of_task_with(std::uint32_t gpus) const;
    std::uint32_t cpus_with(std::uint32_t gpus) const {
        return tasks_with(gpus) * cpus_of_task_with(gpus);
    }
};

// Why no other number of GPUs keeps to what the owner said, "" where one may: by what Hora changed
// of the request, and what it found there.
std::string why_fixed(const domain::Decision& decision);

// Fails, in words for a person, where it cannot be told.
Expected<ResizeRules> rules_of(const slurm::Job& job, const FindMemory& find);

tl::unexpected<Error> cannot_resize(const slurm::Job& job, const std::string& why);

}  // namespace hora::horad
