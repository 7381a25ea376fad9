// Which GPUs may this job be given: by partition, state, constraint, node lists, reservation.
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "plugins/job_submit/submission.hpp"

namespace hora::submit {

struct Scope {
    std::vector<std::uint32_t> nodes;  // that the job may be given, ascending
    // -w: the job gets each of these; empty where the user named none.
    bool is_fixed_to_nodes = false;
};

// Fails, in words for the user, where the request leaves no node or is of a kind that is not
// narrowed here; `now` is seconds since the epoch.
Expected<Scope> scope_of(const Submission& submission, const domain::Partition& partition,
                         const domain::Snapshot& snapshot, std::int64_t now);

// The cluster as the chooser sees it: is_free marks what it may take. A node lends no more GPUs
// than it has CPUs for, `cpus_per_gpu` each, within the partition's limit; with `as_if_idle` what
// runs now is left out of account.
struct Lending {
    bool as_if_idle = false;
    std::uint32_t cpus_per_gpu = 1;
};
domain::Cluster lent(const Scope& scope, const Submission& submission,
                     const domain::Partition& partition, const domain::Snapshot& snapshot,
                     Lending lending);

}  // namespace hora::submit
