// Which GPUs of its node has a task been given, and does it see those of its neighbours?
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/spank/job/environment.hpp"

namespace hora::spank {

struct VisibleGpus {
    std::vector<std::uint32_t> gpus;  // numbers on the node, as Slurm lists them; empty: not known
    std::uint32_t of_step = 0;        // how many the step has on this node
    std::uint32_t seen = 0;           // how many the task may use
};

// From the variables that Slurm sets. Nothing is known where it sets none (--gpu-bind=none), or
// where they disagree: indices of the node and of the task's own go by their place in the lists.
VisibleGpus read_visible_gpus(const Environment& environment, bool is_script);

}  // namespace hora::spank
