// `hora cluster snapshot` and `hora cluster show`: what does Slurm know of the machines?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_cluster_commands(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
