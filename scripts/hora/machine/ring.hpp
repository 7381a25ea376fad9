// `hora ring`: in which order will the GPUs of a job be linked, and were they?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_ring_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
