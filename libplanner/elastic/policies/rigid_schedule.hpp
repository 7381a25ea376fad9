// When would each job run, if every one kept to its own request?
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

// First come, first served with backfill, as Slurm plans it when run times are known: each job has
// the earliest place that moves nobody who came before. So who comes later makes no place worse.
class RigidSchedule {
  public:
    explicit RigidSchedule(std::uint32_t gpus) : gpus_(gpus) {}

    // Jobs are numbered from 0 in the order in which they come, and calls come in the order of
    // `now`. `length` is what the job takes on `gpus`, its start included. Precondition: gpus is at
    // most what there is. O(slots that are not over).
    std::size_t submit(std::uint32_t gpus, Seconds now, Seconds length);
    // Where a job that came now would begin; nothing is kept for it. After `advance(now)`.
    Seconds earliest(std::uint32_t gpus, Seconds now, Seconds length) const;
    // The length is thought of otherwise. What has begun by `now` stays where it is, the others
    // find new places, in their order; to be called for all that is new, then `advance`.
    void set_length(std::size_t job, Seconds length);
    void advance(Seconds now);

    const domain::Slot& slot(std::size_t job) const { return slots_[job]; }
    // The first that begins after `now`; infinite: none does.
    Seconds next_start(Seconds now) const;

  private:
    void place(std::size_t job, Seconds now);
    void hold(const domain::Slot& slot);

    std::uint32_t gpus_;
    std::vector<domain::Slot> slots_;
    std::vector<std::size_t> live_;  // not over, in order
    bool is_stale_ = false;
    std::int64_t used_ = 0;                    // up to the first change
    std::map<Seconds, std::int64_t> changes_;  // of the GPUs in use
};

}  // namespace hora::elastic
