// Has slurmctld, killed hard, forgotten that a job runs that horad restarted, and what becomes of
// the job?
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/own_restarts.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// slurmctld saves its state each five seconds. Killed in between, it finds a job pending that runs,
// and starts it on the node that still runs it; the node refuses, and the job is requeued and held.
// Such a hold is taken off once for each start of slurmctld. A hold of the owner's or of an
// administrator's stays, and so does one after a start that horad has not brought about, or that
// failed though slurmctld was not restarted.
class ForgottenStarts {
  public:
    using Log = std::function<void(const std::string& line)>;

    // Everything must outlive it.
    ForgottenStarts(SlurmEdge& slurm, OwnRestarts& restarts, Chronicle& chronicle, Log log);

    // Leaves the jobs in `under_way` alone, but notes their restarts. Asks slurmctld only about
    // jobs that were forgotten, or that horad has released.
    void step(const Observation& seen, const std::vector<ResizeEntry>& under_way, Moment now);

  private:
    void note(const ResizeEntry& entry);
    void look_after(const ObservedJob& job, Moment now);
    void release(const slurm::JobView& job, OwnRestart restart, Moment now);
    void let_rest(const slurm::JobView& job, OwnRestart restart);
    void give_priority(const slurm::JobView& job, OwnRestart restart);
    void keep(const OwnRestart& restart);
    bool is_done(std::uint32_t job, const slurm::Answered& answered, const std::string& what);
    void complain(std::uint32_t job, const std::string& what);

    SlurmEdge& slurm_;
    OwnRestarts& restarts_;
    Chronicle& chronicle_;
    Log log_;
    std::map<std::uint32_t, std::string> complaints_;  // by job: the last one
};

}  // namespace hora::horad
