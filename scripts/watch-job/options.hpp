// What does the caller of the helper ask for?
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>

#include "scripts/watch-job/requeue/requeue_rules.hpp"

namespace hora::watch {

struct Options {
    std::uint32_t job = 0;
    std::string cluster;         // SLURM_CLUSTER_NAME
    std::uint32_t restarts = 0;  // SLURM_RESTART_COUNT; 0 where it is not set
    pid_t shell = 0;             // the batch script
    int shell_descriptor = -1;   // of it, as pidfd_open() gives one; below 0: not handed down
    std::string folder;          // HORA_CHECKPOINT_DIR; empty: none
    std::string progress;        // HORA_PROGRESS; empty: none
    std::string settings;        // hora.toml; it may be missing
    bool requeues = false;       // else the job is followed and never stopped
    bool lowers_limit = false;   // the next start gets what this one leaves of the time limit
    RequeueRules rules;
    std::string step;        // SLURM_STEP_ID; not empty: stands in that step, and asks its program
    bool is_script = false;  // and that is the batch script's
    int signal = SIGUSR1;    // that asks the program
    bool is_named_by_hora = false;     // the folder: where nothing was written to it, it goes
    std::optional<int> exit_status{};  // of the script: clears up after it
    bool removes_finished = false;     // the folder of a job that ended with status 0
    Seconds keep{};                    // folders of other jobs; 0: for ever
    bool asks_for_batch = false;       // that horad has given this start, and does nothing else
};

}  // namespace hora::watch
