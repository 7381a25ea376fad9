// `hora topology`: what is the GPU topology of a machine?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_topology_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
