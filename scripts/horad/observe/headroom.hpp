// Which limits bind a job that is to have another size, by its QOS, association and partition?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/request/scope/limits.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// Where a job goes first that names several: "a" of "a,b".
std::string first_partition(const std::string& partitions);

// As at submission; what the job holds counts as left.
request::Limits limits_of(const slurm::JobView& job, const domain::Snapshot& cluster);
request::Limits limits_of(const ObservedJob& job, const domain::Snapshot& cluster);

// What a size takes of a limit.
struct Claim {
    std::uint32_t nodes = 1;
    std::uint32_t gpus_per_node = 1;
    std::uint32_t cpus_per_node = 1;
    std::uint64_t memory = 0;  // MiB of all nodes; 0: not known
    std::uint64_t billing = 0;
};

// The claim with its memory and billing, at most: both follow from what the job has now, and
// billing grows no faster than the fastest of what is billed.
Claim with_charge(Claim claim, const slurm::JobView& job);

// The limit that this would pass, in words: "QOS \"short\" leaves 4 CPUs"; "": none.
std::string why_over(const request::Limits& limits, const Claim& claim);

// Empty: no limit. `gpus_per_node`: of the nodes that it may have.
std::optional<std::uint32_t> most_gpus(const ObservedJob& job, const domain::Snapshot& cluster,
                                       std::uint32_t gpus_per_node);

}  // namespace hora::horad
