// What does one of Slurm's own commands print?
#pragma once

#include <string>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

struct CommandOutput {
    std::string text;      // what it wrote to both of its outputs, at most 32 MiB
    bool is_good = false;  // it ended with 0
};

// `command` goes to a shell, so no word of it may come from outside. Fails where none can be
// started.
Expected<CommandOutput> output_of(const std::string& command);

}  // namespace hora::slurm
