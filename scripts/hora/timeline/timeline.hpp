// `hora timeline`: what did all ranks of a job do, on one clock?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_timeline_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
