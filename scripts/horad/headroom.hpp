// How many GPUs may a job hold, by its QOS, association and partition?
#pragma once

#include <cstdint>
#include <optional>

#include "scripts/horad/observation.hpp"

namespace hora::horad {

// Counts what others of the same user or group hold now; what the job holds itself is its own to
// keep. Empty: no limit binds. Where Slurm lets one limit lift another, the smaller counts.
std::optional<std::uint32_t> most_gpus(const ObservedJob& job, const Observation& seen);

}  // namespace hora::horad
