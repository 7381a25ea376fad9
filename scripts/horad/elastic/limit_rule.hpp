// What does the time limit of an elastic job mean, and what does a restart leave it of that?
#pragma once

#include <cstdint>

#include "libplanner/elastic/state_of_jobs.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "scripts/horad/history/past_runs.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// All take jobs with a memory.

// What its owner's request by itself would hold. One whose plan took fewer GPUs to start at once
// would have had more later.
std::uint32_t own_gpus(const ObservedJob& job);

// Of a resize, by the setting elastic.limits. A job with --hora-requeue is started again at its
// limit, whatever it has.
LimitRule limit_rule_of(const ObservedJob& job, const Observation& seen,
                        const read::Settings& settings);

// Fills in what is left of its limit; nothing of a job without one. `past` is null where it has
// not been seen to run.
void put_time_left(elastic::SeenJob& shown, const ObservedJob& job, const JobPast* past,
                   const Observation& seen, const read::Settings& settings);

}  // namespace hora::horad
