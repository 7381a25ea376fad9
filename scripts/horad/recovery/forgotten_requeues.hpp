// Has slurmctld, killed hard, forgotten that a job went back to the queue, and what becomes of the
// job?
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/job_complaints.hpp"
#include "scripts/horad/journal/own_restarts.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/controller_age.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

// slurmctld saves its state each five seconds. Killed within them, it takes a job that was requeued
// at its checkpoint for running, with a lower count of restarts than it had given. Then
//
//   - the node tells of the end of that start, and slurmctld takes that for the job's: failed
//   - or has told it before the kill, and the job runs for ever without a process
//   - or the next start runs on the same node, and slurmctld takes it for the one before
//   - or the start before is forgotten as well: the job waits for it, or has begun it anew
//
// The first is requeued, and the last is left to slurmctld. Of the others a checkpoint is asked
// for, at which the next start goes back to the queue by itself; where that is not heard of, or no
// longer, the job has no process, and is requeued.
class ForgottenRequeues {
  public:
    using Log = JobComplaints::Log;

    // Everything must outlive it.
    ForgottenRequeues(SlurmEdge& slurm, OwnRestarts& restarts, ResizeHistory& history, Log log);

    // `patience`: how long a job may take for its checkpoint.
    void set_patience(Seconds patience) { patience_ = patience; }

    // Leaves the jobs alone that are restarted by one of `under_way`.
    void step(const Observation& seen, const Reports& reports,
              const std::vector<ResizeEntry>& under_way, Moment now);

  private:
    struct Asked {
        std::int64_t at = 0;  // as the restart has it
        Seconds steady;
    };

    void look_after(const ObservedJob& listed, const OwnRestart& restart, const Reports& reports,
                    Moment now);
    void take_count_of(const slurm::Job& job, OwnRestart restart);
    void look_at_running(const ObservedJob& listed, const slurm::Job& job,
                         const OwnRestart& restart, std::int64_t controller, const Reports& reports,
                         Moment now);
    void ask(const ObservedJob& job, const OwnRestart& restart, std::int64_t controller,
             Moment now);
    void bring_back(const slurm::Job& job, OwnRestart restart, std::int64_t controller, Moment now);
    Seconds since(const OwnRestart& restart, Moment now);
    void keep(const OwnRestart& restart);
    void forget(std::uint32_t job);

    SlurmEdge& slurm_;
    OwnRestarts& restarts_;
    ResizeHistory& history_;
    Log log_;
    Seconds patience_{120};
    ControllerAge controller_;
    std::map<std::uint32_t, Asked> asked_;  // by job
    JobComplaints complaints_;
};

}  // namespace hora::horad
