// Who lets a script go on that this program has stopped, where it is killed meanwhile?
#pragma once

#include <sys/types.h>

#include "plugins/slurm/store/descriptor.hpp"

namespace hora::watch {

// A child of this process that waits for its end, and then lets go on what it was given. Where
// there is none, for its user may have no process more, what is stopped depends on this one alone.
class StopGuard {
  public:
    StopGuard();
    StopGuard(const StopGuard&) = delete;
    StopGuard& operator=(const StopGuard&) = delete;
    // The guard does nothing more.
    ~StopGuard() { dismiss(); }

    // Before the process is stopped.
    void watch(const slurm::Descriptor& process) const;
    // Likewise. There is no guard when it returns.
    void dismiss();

  private:
    slurm::Descriptor channel_;
    pid_t guard_ = -1;
};

}  // namespace hora::watch
