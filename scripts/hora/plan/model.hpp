// `hora models` and `hora model`: what does a network cost?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_model_commands(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
