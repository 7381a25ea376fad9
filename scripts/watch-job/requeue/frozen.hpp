// How is a batch script held still while it is decided whether its job is requeued?
#pragma once

#include <sys/types.h>

#include <functional>
#include <vector>

#include "plugins/slurm/store/descriptor.hpp"
#include "scripts/watch-job/requeue/processes.hpp"
#include "scripts/watch-job/requeue/stop_guard.hpp"

namespace hora::watch {

// The script's processes, stopped. Each is held by a descriptor, so that no signal reaches another
// process that has got its number. Goes on where it is neither ended nor let go, also where this
// program is killed.
class Frozen {
  public:
    using List = std::function<std::vector<Process>()>;

    // Stops until nothing new appears: a process that is not stopped yet may start others. What is
    // stopped goes on where this throws.
    explicit Frozen(pid_t shell, const List& list = all_processes);
    Frozen(const Frozen&) = delete;
    Frozen& operator=(const Frozen&) = delete;
    ~Frozen();

    void let_go();
    // The ranks of the job too, which wait for that: Slurm would send them SIGTERM first, which
    // they may heed no more, and then wait for KillWait. Those on this node are killed. Those on
    // others get SIGUSR2 by their srun, which hands it on to slurmd itself; for anything else it
    // would ask slurmctld, which lets nobody signal a job that is ending.
    void end(const JobMark& mark);

    std::size_t size() const { return held_.size(); }

  private:
    Frozen() = default;

    struct Held {
        Process process;
        slurm::Descriptor descriptor;
    };

    bool holds(const Process& process) const;
    bool hold(const Process& process, int signal);
    void take_sruns(pid_t shell, const List& list);

    StopGuard guard_;
    std::vector<Held> held_;
    std::vector<Held> sruns_;  // not stopped
    bool is_decided_ = false;
};

// Kills the ranks on this node, also one that is in the middle of its exec, and has no variables
// for a moment, and what they have started meanwhile: it looks twice.
void end_ranks(const JobMark& mark, const Frozen::List& list = all_processes);

}  // namespace hora::watch
