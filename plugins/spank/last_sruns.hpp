// Which sruns has a batch script left behind that was ended itself?
//
// As soon as the script has ended, slurmstepd kills all that it started (proctrack/cgroup), also an
// srun that has yet to hear of its ranks' end; their slurmstepd then tries for 3 seconds to tell
// it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string_view>

namespace hora::spank {

// Is this the text of /proc/PID/stat of an srun in that session?
bool is_srun_of_session(std::string_view stat, pid_t session);

// Until no srun is left in the session: a batch script and what it starts are in slurmstepd's.
void wait_for_sruns(pid_t session, std::chrono::milliseconds limit);

}  // namespace hora::spank
