// What would the accounted jobs of a site be as a trace, if some of them were elastic?
#pragma once

#include <cstdint>
#include <span>

#include "libplanner/domain/accounted_job.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/sim/result.hpp"

namespace hora::sim {

// Accounting shows neither which jobs could be resized nor how fast a job would be elsewhere.
struct Assumptions {
    double elastic_share = 0.5;  // of the jobs that are no part of an array or of another job
    double doubling = 1.7;       // how much faster twice the GPUs are, from 1 to 2
    double range = 4;            // from 1 / range to range times what a job held
    std::uint64_t seed = 1;      // draws which jobs are elastic; more with a greater share
};

struct ClusterSize {
    std::uint32_t nodes = 1;
    std::uint32_t gpus_per_node = 1;
};

// The most GPUs that were in use at once.
std::uint32_t most_in_use(std::span<const domain::AccountedJob> jobs);

// So many GPUs, in nodes that hold as many as any job had of one.
ClusterSize smallest_cluster(std::span<const domain::AccountedJob> jobs);

// No job takes more than `gpus`, save what it held. Jobs come in order of submission; the first
// one is at 0.
domain::JobTrace as_trace(std::span<const domain::AccountedJob> jobs,
                          const Assumptions& assumptions, std::uint32_t gpus);

// What really happened, as a result like those of the policies.
Result as_it_was(std::span<const domain::AccountedJob> jobs, std::uint32_t gpus);

}  // namespace hora::sim
