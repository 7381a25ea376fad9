// Which partition rules a job?
#pragma once

#include <string>
#include <vector>

#include "libplanner/domain/snapshot.hpp"

namespace hora::request {

// Null where the snapshot knows none of that name.
const domain::Partition* find_partition(const std::string& name, const domain::Snapshot& snapshot);

// The partition that rules the job: the one that was asked for, else the default; of several the
// first that the snapshot knows and that is up. "" if there is none.
std::string partition_of(const std::vector<std::string>& named, const domain::Snapshot& snapshot);

}  // namespace hora::request
