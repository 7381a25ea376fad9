// On which CPUs does a task belong, by the GPU it drives?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "plugins/spank/job/task_facts.hpp"

namespace hora::spank {

// "0x1,0x30" as in SLURM_CPU_BIND_LIST: one mask a task of the node. Empty on anything else.
std::vector<Cpus> read_masks(std::string_view text);

struct TaskCpus {
    std::size_t task = 0;     // which of the node's
    Cpus own;                 // as it is bound now
    std::vector<Cpus> bound;  // what Slurm bound each task of the node to; or empty
    std::vector<Cpus> near;   // by task of the node: the CPUs near its GPUs
    std::size_t asked = 1;    // CPUs that the task was to have at least
};

// What the task is to run on: of its CPUs those near its GPUs. Where it has none, and another task
// of the node has CPUs near these but none near its own, the two trade; all tasks come to the same
// result by themselves. Its own CPUs where nothing is to be won,
// and where fewer would be left than it asked for.
Cpus choose_cpus(const TaskCpus& task);

}  // namespace hora::spank
