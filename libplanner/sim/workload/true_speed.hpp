// How fast does a job actually train, where it was placed?
#pragma once

#include <cstdint>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/job_trace.hpp"

namespace hora::sim {

// One epoch on so many GPUs over so many nodes. What was measured there counts; else a job spread
// over more nodes than it needs is taken to be as fast as packed, and one on more GPUs than were
// measured as fast as on the most.
// Precondition: gpus >= 1.
Seconds epoch_on(const domain::TrueSpeed& speed, std::uint32_t gpus, std::uint32_t nodes);

// Of the batches that the job trains with on so many GPUs, the largest up to this; the smallest
// where there is none. 0 where its batch may not change.
std::uint64_t known_batch(const domain::JobTrace& trace, const domain::TraceJob& job,
                          std::uint64_t batch, std::uint32_t gpus);

// The speed of a job that trains with this batch, a known one; 0: it has one.
const domain::TrueSpeed& speed_with(const domain::JobTrace& trace, const domain::TraceJob& job,
                                    std::uint64_t batch);

// One epoch on its own request, packed.
Seconds epoch_on_request(const domain::JobTrace& trace, const domain::TraceJob& job);

}  // namespace hora::sim
