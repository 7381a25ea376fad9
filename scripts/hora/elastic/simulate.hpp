// `hora simulate`: when would the jobs of a trace end under each policy?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_simulate_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
