// `hora explain`: why was a job planned as it was?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_explain_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
