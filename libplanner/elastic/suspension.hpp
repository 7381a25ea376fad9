// Which running job waits for a while, so that a much shorter one need not?
//
// Where every job holds the least that it may, one that takes a minute waits until another ends. A
// job whose owner allows it (--hora-suspend) writes a checkpoint and is requeued, with its request
// as it is: it waits as any other job then, from the place in the queue that its age gives it.
// Slurm starts no job in the first two minutes after a requeue, in which the shorter one starts.
#pragma once

#include <optional>

#include "libplanner/elastic/judge.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/elastic/state_of_jobs.hpp"

namespace hora::elastic {

// For so long Slurm does not start it: AuthInfo=cred_expire.
constexpr Seconds suspended_for{120};

// At most one at a time, and the one with the fewest GPUs that are enough. Empty where it is not
// for the job that a policy would start next, or where a job that Hora has no say in would take
// the GPUs. O(jobs).
std::optional<Change> suspension(const Pool& pool, const Question& question,
                                 const Allocation& answer, const Verdict& verdict);

}  // namespace hora::elastic
