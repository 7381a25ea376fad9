// `hora topology`: how do the GPUs of a machine hang together?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_topology_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
