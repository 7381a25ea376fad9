// How many tasks on how many nodes does an srun within a job ask for, and may they be ordered?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "plugins/spank/job/environment.hpp"

namespace hora::spank {

struct StepRequest {
    std::uint32_t nodes = 0;
    std::uint32_t tasks = 0;
    std::uint32_t cpus_per_task = 1;
    bool names_nodes = false;  // says by an option on how many nodes

    friend bool operator==(const StepRequest&, const StepRequest&) = default;
};

// From srun's own command line, program first, and its environment, by the rules srun goes by.
// Nothing where the user has said himself how the tasks are laid out, where they are not on several
// nodes, where other releases of Slurm would lay them out otherwise, or where a word is not known.
std::optional<StepRequest> read_step_request(std::span<const std::string> words,
                                             const Environment& environment);

// Has nobody said on which CPUs the tasks are to run? False also where a word is not known.
bool leaves_binding_open(std::span<const std::string> words, const Environment& environment);

}  // namespace hora::spank
