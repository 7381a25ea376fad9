// `hora calibrate`: which device entry describes the machine that a short run was measured on?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_calibrate_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
