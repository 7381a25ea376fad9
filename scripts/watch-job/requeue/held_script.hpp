// For how long is a batch script held still while slurmctld is asked to requeue its job?
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/watch-job/requeue/frozen.hpp"
#include "scripts/watch-job/requeue/processes.hpp"

namespace hora::watch {

// Goes on where it is not ended, whatever is thrown meanwhile.
class HeldScript {
  public:
    using Clock = std::chrono::steady_clock;
    using Requeue = std::function<slurm::Answered()>;

    // `mark` must outlive it.
    HeldScript(const JobMark& mark, pid_t shell);

    // Ends the script where slurmctld says that it is done. The call cannot be taken back, so what
    // comes of it is waited for in any case; but the script goes on from the deadline on, and is
    // stopped anew once there is an answer. An exception counts as no answer.
    slurm::Answered ask(const Requeue& requeue, Clock::time_point deadline);
    void end();

  private:
    slurm::Answered ask_held(const Requeue& requeue);
    void let_go();
    void stop_again();

    const JobMark& mark_;
    const pid_t shell_;
    std::mutex mutex_;
    std::unique_ptr<Frozen> frozen_;  // empty: it goes on
};

}  // namespace hora::watch
