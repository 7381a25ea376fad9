// What is left in a step when its last task has ended, and how does it end?
//
// slurmstepd then kills all that is left and, with proctrack/cgroup, looks at once: where anything
// has not quite ended yet it sleeps for a whole second, and then for two, and slurmd, the job's
// next start and whoever waits for srun with it. An srun that it kills has not heard of its ranks'
// end; their slurmstepd then tries for 3 seconds to tell it.
//
// All are to be called in slurmstepd.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace hora::spank {

// Until no srun is left in the session: a batch script and what it starts are in slurmstepd's.
void wait_for_sruns(pid_t session, std::chrono::milliseconds limit);

// Until the program (a path) that stands beside the script has ended by itself, where slurmstepd
// would kill it.
void wait_for_job_watcher(const std::string& watcher, std::uint32_t job,
                          std::chrono::milliseconds limit);

// Kills what is left in the cgroup of the step ("step_0", "step_batch"), as slurmstepd is about to,
// and waits until it has ended. Does nothing where Slurm tracks processes otherwise.
void end_rest_of_step(std::uint32_t job, const std::string& step, std::chrono::milliseconds limit);

// The folder of the job by which Slurm tracks its processes, of the text of /proc/PID/cgroup of one
// of them or of slurmstepd: "/slurm/uid_0/job_7". Empty where it tracks them otherwise.
std::string job_container(std::string_view cgroup, std::uint32_t job);

// Is it, by that text, a process of the step? slurmstepd's own ones are none.
bool is_in_step(std::string_view cgroup, const std::string& job_container, std::string_view step);

}  // namespace hora::spank
