// Which running job is worth a restart with the GPUs that it has, on fewer nodes?
//
// A job that started, or grew, while GPUs were free in many places stays spread over them: its
// gradients cross the network though by now one node could hold it.
#pragma once

#include <optional>

#include "libplanner/elastic/judge.hpp"
#include "libplanner/elastic/state_of_jobs.hpp"

namespace hora::elastic {

// The one that saves the most by it, of those that `verdict` leaves alone; empty: none saves
// enough. How long a step takes where it runs must be measured; on the nodes that it would have,
// measured or, where these are the fewest, predicted. The number of idle GPUs stays the same, and
// no pending job is passed over. O(jobs * nodes of a job).
std::optional<Change> packing(const Pool& pool, const Question& question, const Verdict& verdict);

}  // namespace hora::elastic
