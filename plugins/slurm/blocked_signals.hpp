// Which signals does a thread of ours take in a process that is not ours?
#pragma once

#include <csignal>

namespace hora::slurm {

// None while this lives, nor any thread that starts meanwhile: a thread inherits the mask of the
// one that starts it. slurmctld's own signal thread must get every signal.
class BlockedSignals {
  public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

}  // namespace hora::slurm
