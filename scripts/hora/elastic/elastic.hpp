// `hora elastic`: which jobs would a policy give other GPUs now?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_elastic_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
