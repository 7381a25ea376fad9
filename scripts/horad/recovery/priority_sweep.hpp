// Has a job a priority of Hora's that no resize accounts for?
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "scripts/horad/journal/act_edge.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// Each job says itself which priority Hora gave it and which one is its own (raised_priority.hpp),
// so that this needs neither the journal nor a disk: a job whose entry is gone, for it was
// cancelled and requeued, or the journal was lost, gets its own back as soon as it is seen.
class PrioritySweep {
  public:
    using Log = std::function<void(const std::string& line)>;

    // Everything must outlive it.
    PrioritySweep(SlurmEdge& slurm, Log log) : slurm_(slurm), log_(std::move(log)) {}

    // Asks slurmctld only about jobs that have such a word and no entry in `under_way`. What it
    // refuses is tried again at the next call.
    void step(const Observation& seen, const std::vector<ResizeEntry>& under_way);

  private:
    void give_back_to(std::uint32_t job);
    void complain(std::uint32_t job, const std::string& what);

    SlurmEdge& slurm_;
    Log log_;
    std::map<std::uint32_t, std::string> complaints_;  // by job: the last one
};

}  // namespace hora::horad
