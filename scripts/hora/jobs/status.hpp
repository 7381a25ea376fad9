// `hora status`: what does the daemon do with whose jobs, and what comes next?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_status_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
