// `hora resize`: how does an administrator give a job another number of GPUs?
#pragma once

#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

void add_resize_command(CLI::App& app, Outcome& outcome);

}  // namespace hora::scripts
