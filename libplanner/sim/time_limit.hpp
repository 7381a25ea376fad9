// When does a job's time limit end it, and what of that does a policy heed?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/domain/elastic.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/sim/active_job.hpp"

namespace hora::sim {

// What is left of a job's time limit at a moment since its last start, on its own request; of one
// that waits, all that its starts have left. Infinite without a limit.
Seconds own_limit_left(const domain::TraceJob& described, const ActiveJob& active,
                       const domain::ElasticJob& job, domain::LimitKind kind, Seconds moment);

// How many times as long that is on so many GPUs.
double stretch_on(const domain::TraceJob& described, std::uint32_t gpus, domain::LimitKind kind);

// As horad shows it to a policy: what is left of a restart is no time to train in. The job has a
// limit.
domain::Deadline deadline_of(const domain::TraceJob& described, const ActiveJob& active,
                             const domain::ElasticJob& job, domain::LimitKind kind, Seconds now);

// As horad shows jobs to a policy: with what is left of their limits, with no more work than that
// lets them do on their own requests, and with minima on which they end in time. Jobs without a
// limit stay as they are. Both lists have the same jobs, at the same places, their speeds looked
// up.
void heed_limits(domain::ElasticState& state, std::span<const ActiveJob> active,
                 const domain::JobTrace& trace, domain::LimitKind kind);

// The policy's answer, without restarts by which a job that ends in time might be lost: horad makes
// none of them.
std::vector<std::uint32_t> without_danger(const domain::ElasticState& state,
                                          std::vector<std::uint32_t> gpus);

}  // namespace hora::sim
