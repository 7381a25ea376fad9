// When does each job run that keeps to its own request?
#pragma once

#include <cstdint>
#include <map>

#include "libplanner/base/units.hpp"

namespace hora::elastic {

// First come, first served with backfill, as Slurm plans it when run times are known: each job has
// the earliest place that moves none before it. Times are seconds from now.
class RigidSchedule {
  public:
    explicit RigidSchedule(std::uint32_t gpus) : gpus_(gpus) {}

    // Where a job would begin that takes so long on so many GPUs, and begins no earlier than
    // `from`; nothing is kept for it. Precondition: gpus is at most what there is. O(jobs that were
    // submitted).
    Seconds earliest(std::uint32_t gpus, Seconds length, Seconds from = Seconds(0)) const;
    // The same, and it keeps that place.
    Seconds submit(std::uint32_t gpus, Seconds length, Seconds from = Seconds(0));

  private:
    std::uint32_t gpus_;
    std::map<Seconds, std::int64_t> changes_;  // of the GPUs in use
};

}  // namespace hora::elastic
