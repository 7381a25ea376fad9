// Has a job a priority of Hora's, or its reservation, that no resize accounts for?
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/job_complaints.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// Each job says itself which priority Hora gave it and which one is its own (raised_priority.hpp),
// so that this needs neither the journal nor a disk: a job whose entry is gone, for it was
// cancelled and requeued, or the journal was lost, gets its own back as soon as it is seen.
class PrioritySweep {
  public:
    using Log = JobComplaints::Log;

    // Everything must outlive it.
    PrioritySweep(SlurmEdge& slurm, Log log)
        : slurm_(slurm), log_(log), complaints_(std::move(log)) {}

    // Asks slurmctld only about jobs that have either and no entry in `under_way`. What it
    // refuses is tried again a minute later: for a job of which it has lost the number in slurmdbd,
    // it takes five seconds to refuse.
    void step(const Observation& seen, const std::vector<ResizeEntry>& under_way, Moment now);

  private:
    void give_back_to(std::uint32_t job, Moment now);

    SlurmEdge& slurm_;
    Log log_;
    std::map<std::uint32_t, Seconds> refused_;  // by job: when
    JobComplaints complaints_;
};

}  // namespace hora::horad
