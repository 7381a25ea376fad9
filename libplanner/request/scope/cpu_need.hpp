// How many CPUs does a job need beside its GPUs, as far as its owner said?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

// A node with G of the GPUs needs
//     max(of_node, ceil(G * tasks / gpus) * of_task, G * of_gpu)
// CPUs: as Slurm counts --cpus-per-task once a task, however many GPUs a task has.
struct CpuNeed {
    std::uint64_t of_node = 0;
    std::uint64_t of_task = 1;
    std::uint64_t tasks = 0;  // so many come with so many GPUs; 0: the tasks do not follow these
    std::uint64_t gpus = 1;
    std::uint64_t of_gpu = 0;
    std::optional<std::uint64_t> of_job;  // where the owner counted the tasks

    std::uint64_t with(std::uint32_t gpus_there) const;
    // The most GPUs that so many CPUs do for; domain::unlimited_gpus: any number.
    std::uint32_t most_gpus(std::uint64_t cpus) const;
};

// A launcher and each other task that was counted by the node needs its CPUs there whatever the
// GPUs. Where nothing is said of CPUs each GPU has one at the least, and so has each that the tasks
// of srun and salloc share.
CpuNeed cpu_need(const Submission& submission);

}  // namespace hora::request
