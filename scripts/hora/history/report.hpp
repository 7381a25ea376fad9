// `hora report`: a page that shows what became of the jobs of this cluster.
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_report_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
