// Which running job is worth a restart with as many GPUs as it has: on fewer nodes, or with another
// batch?
//
// A job that started, or grew, while GPUs were free in many places stays spread over them: its
// gradients cross the network though by now one node could hold it. And one whose batch may change
// started with one that was chosen before its steps, or its gradient noise scale, were known.
#pragma once

#include <optional>

#include "libplanner/elastic/judge.hpp"
#include "libplanner/elastic/state_of_jobs.hpp"

namespace hora::elastic {

// The one that saves the most by it, of those that `verdict` leaves alone; empty: none saves
// enough. How long a step takes as it runs must be measured; on the nodes that it would have,
// measured or, where these are the fewest, predicted. The number of idle GPUs stays the same, and
// no pending job is passed over. O(jobs * nodes of a job).
std::optional<Change> same_size(const Pool& pool, const Question& question, const Verdict& verdict);

}  // namespace hora::elastic
