// Which program runs beside a batch script, and with which arguments?
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/spank/job/compute_settings.hpp"
#include "plugins/spank/job/environment.hpp"
#include "plugins/spank/job/task_facts.hpp"

namespace hora::spank {

// How often and how long the controller's plugin lets the job come back: "MAX:SECONDS". It says so
// only where it acts and the job may be requeued.
constexpr std::string_view restarts_variable = "HORA_RESTARTS";

// Its own descriptor of the script, in the program that is started.
constexpr int shell_descriptor = 3;

struct WatchCall {
    std::vector<std::string> words;  // the program's path first
    Variables environment;
};

// Of a batch script whose variables are set already. Nothing where there is nothing to be followed:
// neither progress nor checkpoints. `allowed` is the value of restarts_variable, "" without one.
std::optional<WatchCall> watch_call(const Environment& environment, const TaskFacts& facts,
                                    const ComputeSettings& settings, const std::string& allowed,
                                    pid_t shell);

// Of the same program after the script has ended by itself: clears up in the folder that Hora has
// named for its job.
WatchCall clear_call(const Environment& environment, const TaskFacts& facts,
                     const ComputeSettings& settings, const std::string& folder, int exit_status);

// Of the program that stands in a step, for the first of its tasks on this node, whose process
// `task` is. Nothing for other tasks, and where nothing asks the program for a checkpoint.
std::optional<WatchCall> step_call(const Prepared& prepared, const TaskFacts& facts,
                                   const ComputeSettings& settings, pid_t task);

}  // namespace hora::spank
