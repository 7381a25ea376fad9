// When does a reservation take nodes that a job could have?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "plugins/slurm/jobs/job.hpp"

namespace hora::horad {

// From now until the first one begins that has nodes of its partition and is not its own; empty:
// none does.
std::optional<Seconds> next_reservation(const slurm::Job& job, const domain::Snapshot& cluster,
                                        std::int64_t now);

// Does one begin before the job, started now, has had its time? request::scope_of leaves out these
// nodes of one job; where GPUs are counted they count as any, so jobs of the partition keep their
// sizes.
bool is_reserved(const slurm::Job& job, const domain::Snapshot& cluster, std::int64_t now);

}  // namespace hora::horad
