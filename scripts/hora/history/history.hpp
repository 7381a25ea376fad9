// `hora history`: how fast did jobs train, and what did each rescale cost and gain?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_history_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
