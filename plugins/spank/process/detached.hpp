// How is a program left running that neither a job nor its shell knows of?
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/spank/job/environment.hpp"

namespace hora::spank {

// Runs words[0] (a path) as the calling user in a session of its own, as nobody's child: input and
// output at /dev/null, every other descriptor closed but `kept`, which becomes number 3; no signal
// blocked or ignored. From its first moment on it has the name of words[0]. Fails where it cannot
// be started, as far as that shows before its exec.
Expected<void> start_detached(const std::vector<std::string>& words, const Variables& environment,
                              int kept);

// Likewise, but as a child of this process's own parent, and with every signal blocked. Slurm takes
// each child of slurmstepd for a task when it signals a step.
Expected<void> start_beside(const std::vector<std::string>& words, const Variables& environment,
                            int kept);

// Whose rights a program gets that root starts.
struct Account {
    uid_t uid = 0;
    gid_t gid = 0;
    std::vector<gid_t> groups;
};

// Runs words[0] with that user's groups and the word --uid=UID behind the others, likewise without
// terminal, input and output, and waits until it has ended; longer than `limit` it does not live.
// The caller is root, and the program takes that uid itself before anything else. It runs outside
// of what Slurm tracks of a job: a process that changes its uid after its exec can be traced by
// root alone, one that did so before by all processes of the user, which would live on in it.
Expected<void> run_as(const Account& account, std::vector<std::string> words,
                      const Variables& environment, std::chrono::milliseconds limit);

}  // namespace hora::spank
