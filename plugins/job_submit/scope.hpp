// Which GPUs may this job be given: by partition, state, constraint, node lists, reservation.
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "plugins/job_submit/submission.hpp"

namespace hora::submit {

struct Scope {
    std::vector<std::uint32_t> nodes;  // that the job may be given, ascending
    // -w: the job gets each of these; empty where the user named none.
    bool is_fixed_to_nodes = false;
};

// When the job may run: `now` in seconds since the epoch, and for how long at most.
struct Window {
    std::int64_t now = 0;
    Seconds lasts;
};

// Fails, in words for the user, where the request leaves no node or is of a kind that is not
// narrowed here.
Expected<Scope> scope_of(const Submission& submission, const domain::Partition& partition,
                         const domain::Snapshot& snapshot, Window window);

// The cluster as the chooser sees it: is_free marks what it may take. A node lends no more GPUs
// than it has CPUs for, `cpus_per_gpu` each, within the limits of a node; with `as_if_idle` what
// runs now is left out of account.
struct Lending {
    bool as_if_idle = false;
    std::uint32_t cpus_per_gpu = 1;
    std::uint32_t max_gpus_of_node = domain::unlimited_gpus;
    std::uint32_t max_cpus_of_node = domain::unlimited_gpus;
};
domain::Cluster lent(const Scope& scope, const Submission& submission,
                     const domain::Partition& partition, const domain::Snapshot& snapshot,
                     Lending lending);

}  // namespace hora::submit
