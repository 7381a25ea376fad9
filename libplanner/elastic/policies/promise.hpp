// What is each job owed, so that none ends later than it would if all kept to their requests?
//
// Each job has a slot: where it would run then (rigid_schedule.hpp). A job whose slot has begun is
// owed the least GPUs on which it ends with its slot; what it is ahead, by growth or by an early
// start, makes that fewer than it asked for. All that is owed fits into the slots, so it can be
// given at any time, whichever job comes next: it finds the place that its own slot took.
// One thing would spoil that: a job that starts before its slot, and keeps its minimum outside any
// slot from then on. It has to fit into what the slots of others leave over, who are ahead or have
// ended.
#pragma once

#include <cstdint>
#include <map>

#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

bool is_owed(const domain::ElasticJob& job, Seconds now);

// The least size on which it ends with its slot if it keeps it from now on, a restart that it takes
// included, and uncertain times on the safe side. Where there is none, it is late for what could
// not be known: the least that is as fast as its request. Precondition: its slot has begun.
std::uint32_t owed_size(const domain::ElasticJob& job, Seconds now, Seconds rescale);

// The GPUs that slots leave over from now on, as long as every job has what it is owed.
class SpareGpus {
  public:
    explicit SpareGpus(const domain::ElasticState& state);

    // For a job before its slot, until that begins or the job has ended.
    bool has(const domain::ElasticJob& job, std::uint32_t gpus) const;
    void take(const domain::ElasticJob& job, std::uint32_t gpus);

  private:
    Seconds leaves(const domain::ElasticJob& job, std::uint32_t gpus) const;
    void add(Seconds from, Seconds to, std::int64_t gpus);

    Seconds now_;
    Seconds rescale_;
    std::int64_t spare_ = 0;  // now
    std::map<Seconds, std::int64_t> changes_;
};

}  // namespace hora::elastic
