// Which signals does a thread of ours take in a process that is not ours?
#pragma once

#include <csignal>

namespace hora {

// None while this lives, nor any thread that starts meanwhile: a thread inherits the mask of the
// one that starts it. The process's own threads must get every signal, but for those that a thread
// causes itself: where they are blocked, the process ends without its handler.
class BlockedSignals {
  public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) {
            sigdelset(&all, own);
        }
        pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

}  // namespace hora
