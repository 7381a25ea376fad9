// `hora replay`: what would have become of a site's own jobs if some had been elastic?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_replay_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
