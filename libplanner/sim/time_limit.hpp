// When does a job's time limit end it, and what of that does a policy heed?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/domain/elastic.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/sim/active_job.hpp"

namespace hora::sim {

// Infinite without one. A restarted job has what was left of it.
Seconds limit_end(const domain::TraceJob& job, Seconds started);

// As horad shows jobs to a policy: with what is left of their limits, with no more work than that
// lets them do on their own requests, and with minima on which they end in time. Jobs without a
// limit stay as they are. Both lists have the same jobs, at the same places, their speeds looked
// up.
void heed_limits(domain::ElasticState& state, std::span<const ActiveJob> active,
                 const domain::JobTrace& trace);

// The policy's answer, without restarts by which a job that ends in time might be lost: horad makes
// none of them.
std::vector<std::uint32_t> without_danger(const domain::ElasticState& state,
                                          std::vector<std::uint32_t> gpus);

}  // namespace hora::sim
