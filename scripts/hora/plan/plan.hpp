// `hora plan`: where would a job run, and why there?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_plan_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
