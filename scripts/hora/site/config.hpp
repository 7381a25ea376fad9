// `hora config check` and `hora config show`: is the set-up right, and what does it say?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_config_commands(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
