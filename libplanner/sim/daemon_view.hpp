// How does horad see the jobs of a simulation?
#pragma once

#include <span>

#include "libplanner/domain/elastic.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/elastic/state_of_jobs.hpp"
#include "libplanner/sim/active_job.hpp"
#include "libplanner/sim/simulate.hpp"

namespace hora::sim {

// Elastic jobs as they report of themselves, and rigid ones that wait as others. `state` and
// `active` have the same jobs, at the same places, and their ids are their places in the trace.
// `settled` of the idle GPUs have been idle for the cooldown.
elastic::Pool daemon_view(const domain::ElasticState& state, std::span<const ActiveJob> active,
                          const domain::JobTrace& trace, const Setup& setup,
                          const Placement& placement, std::uint32_t settled);

}  // namespace hora::sim
