// `hora relax`: which jobs have waited long enough for GPU locality?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_relax_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
