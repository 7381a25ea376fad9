// How does a script go on that this program has stopped, where it is killed meanwhile?
#pragma once

#include <sys/types.h>

#include <chrono>

#include "plugins/slurm/store/descriptor.hpp"

namespace hora::watch {

// A child of this process that waits for its end, and then lets go on what it was given. Where
// there is none, for its user may have no process more, what is stopped depends on this one alone.
class StopGuard {
  public:
    // `patience`: for how long a call waits where the guard has not read what it was given before.
    explicit StopGuard(std::chrono::milliseconds patience = std::chrono::milliseconds(100));
    StopGuard(const StopGuard&) = delete;
    StopGuard& operator=(const StopGuard&) = delete;
    // The guard does nothing more.
    ~StopGuard() { dismiss(); }

    // Before the process is stopped. False where the guard does not have it: there is none, or it
    // has not read for the whole of `patience`; then no call waits again until it has read.
    bool watch(const slurm::Descriptor& process);
    // Likewise. There is no guard when it returns.
    void dismiss();

  private:
    slurm::Descriptor channel_;
    pid_t guard_ = -1;
    const std::chrono::milliseconds patience_;
    bool is_late_ = false;  // it has not read for that long
};

}  // namespace hora::watch
