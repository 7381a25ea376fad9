// Has slurmctld, killed hard, forgotten that a job runs that horad restarted, and what becomes of
// the job?
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/job_complaints.hpp"
#include "scripts/horad/journal/own_restarts.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// slurmctld saves its state each five seconds. Killed in between, it finds a job pending that runs,
// and starts it on the node that still runs it; the node refuses, and the job is requeued and held.
// Such a hold is taken off once for each start of slurmctld, and stays where it is older than that.
// A node to which slurmctld has not sent the end of a start that it forgot also refuses the job
// much later, where the job comes back to it, and so does one whose slurmd was killed as that
// arrived. slurmctld drains the node as it holds the job: such a hold is taken off once for each
// node that is drained so. A hold of the owner's or of an administrator's stays, and so does one
// after a start that horad has not brought about, or that failed for another reason.
class ForgottenStarts {
  public:
    using Log = JobComplaints::Log;

    // Everything must outlive it.
    ForgottenStarts(SlurmEdge& slurm, OwnRestarts& restarts, ResizeHistory& history, Log log);

    // Keeps which restarts they have brought about. Before each round of resizes: one that
    // slurmctld, killed, has forgotten ends its resize, whose entry alone may tell of it.
    void note(const std::vector<ResizeEntry>& under_way);
    // Leaves jobs alone whose restart is in `under_way`, but notes these restarts. Asks slurmctld
    // only about jobs that were forgotten, or that horad has released.
    void step(const Observation& seen, const std::vector<ResizeEntry>& under_way, Moment now);

  private:
    void note_one(const ResizeEntry& entry);
    void note_priority(const ObservedJob& job);
    void note_refusals(const std::vector<std::int64_t>& refused_starts, Moment now);
    void look_after(const ObservedJob& job, std::int64_t controller, Moment now);
    void release(const slurm::Job& job, OwnRestart restart, std::int64_t controller, Moment now);
    void let_rest(const slurm::Job& job, OwnRestart restart);
    void give_priority(const slurm::Job& job, OwnRestart restart);
    void keep(const OwnRestart& restart);
    bool is_done(std::uint32_t job, const slurm::Answered& answered, const std::string& what);

    SlurmEdge& slurm_;
    OwnRestarts& restarts_;
    ResizeHistory& history_;
    Log log_;
    std::set<std::int64_t> refused_;  // when nodes refused starts, by slurmctld's clock
    JobComplaints complaints_;
};

}  // namespace hora::horad
