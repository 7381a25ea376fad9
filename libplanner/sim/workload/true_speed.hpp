// How fast does a job actually train, where it was placed?
#pragma once

#include <cstdint>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/job_trace.hpp"

namespace hora::sim {

// One epoch on so many GPUs over so many nodes. What was measured there counts; else a job spread
// over more nodes than it needs is taken to be as fast as packed.
// Precondition: gpus is from 1 to speed.epoch_seconds.size().
Seconds epoch_on(const domain::TrueSpeed& speed, std::uint32_t gpus, std::uint32_t nodes);

// One epoch on its own request, packed.
Seconds epoch_on_request(const domain::JobTrace& trace, const domain::TraceJob& job);

}  // namespace hora::sim
