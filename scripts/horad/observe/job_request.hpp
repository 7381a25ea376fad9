// Where may a job in the queue be given GPUs, and within which limits? By the rules of a submission
// (libplanner/request/scope), of what slurmctld says of the job.
#pragma once

#include <cstdint>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "libplanner/request/scope/limits.hpp"
#include "libplanner/request/scope/scope.hpp"
#include "libplanner/request/scope/submission.hpp"
#include "plugins/slurm/jobs/job.hpp"

namespace hora::horad {

// As at submission the first that is up; where none is, the first: a job that runs goes on in a
// partition that was closed, within its limits. Null where the snapshot knows none of them.
const domain::Partition* partition_of(const slurm::Job& job, const domain::Snapshot& cluster);

// The operating mode for jobs of that partition.
read::OperatingMode mode_of(const slurm::Job& job, const domain::Snapshot& cluster,
                            const read::Settings& settings);

// Which nodes it may have, and who pays for them, as its request stands now; the rest is open.
request::Submission place_of(const slurm::Job& job);

// What the job holds counts as left.
request::Limits limits_of(const slurm::Job& job, const domain::Snapshot& cluster);

// For a start at `now`.
request::Window window_of(const slurm::Job& job, const domain::Snapshot& cluster, std::int64_t now);

// Fails, in words for a person, where no node is left.
Expected<request::Scope> scope_of(const slurm::Job& job, const domain::Snapshot& cluster,
                                  request::Window window);

}  // namespace hora::horad
