// Which processes run on this node, and which of them belong to a batch script?
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/spank/process/process_list.hpp"

namespace hora::watch {

using spank::all_processes;
using spank::find_process;
using spank::Process;

// The shell and all below it except each srun, which Slurm ends itself when it ends the job: an
// srun that is stopped would hold up that end by seconds. The shell comes first.
std::vector<Process> script_of(std::span<const Process> all, pid_t shell);

// Each srun that one of these has started.
std::vector<Process> sruns_of(std::span<const Process> all, std::span<const Process> script);

// Is the signal in the mask of that name, as "SigCgt", in the text of /proc/PID/status?
bool is_in_mask(std::string_view status, std::string_view mask, int signal);

// Does the process have a handler of its own for the signal? False also where it has gone.
bool catches(const Process& process, int signal);

// All below the process, each after its parent.
std::vector<Process> below(std::span<const Process> all, pid_t process);

// On each way down from these the first that is to be asked: what that one has started is its own
// affair. `all` has each process after its parent.
std::vector<Process> first_of(std::span<const Process> all,
                              const std::function<bool(const Process&)>& is_to_be_asked);

// Does it have these variables, as "NAME=value", by the environment it was started with? False also
// where that cannot be read, as of another user's.
bool has_variables(const Process& process, std::span<const std::string> variables);

// Signals the process, and no other that has got its number since. False where it has gone.
bool signal_this(const Process& process, int signal);

// One start of a job. Job numbers are one cluster's; a machine may have nodes of several.
struct JobMark {
    std::string cluster;  // SLURM_CLUSTER_NAME
    std::uint32_t job = 0;
    std::uint32_t restarts = 0;  // SLURM_RESTART_COUNT
    std::int64_t began = 0;      // by slurmctld's clock; 0: not known
};

// Is this a process of a step of that start of the job, by the environment it was started with?
// False also where it cannot be read, as of another user's. Each srun counts as the script's.
bool is_of_step(const Process& process, const JobMark& mark);

}  // namespace hora::watch
