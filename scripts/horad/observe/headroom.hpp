// What would another size of a job take of its limits, and which sizes do these leave it?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/request/scope/limits.hpp"
#include "plugins/slurm/jobs/job.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// The claim with its memory and billing, at most: both follow from what the job has now, and
// billing grows no faster than the fastest of what is billed.
request::Claim with_charge(request::Claim claim, const slurm::Job& job);

// At most, for the policies; request::why_over judges one size. Empty: no limit. `gpus_per_node`:
// of the nodes that it may have.
std::optional<std::uint32_t> most_gpus(const ObservedJob& job, const domain::Snapshot& cluster,
                                       std::uint32_t gpus_per_node);

}  // namespace hora::horad
