// Is a plan near the end of what its GPUs hold?
#pragma once

#include <string>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"

namespace hora::plan {

// By estimate a share needs more memory than its GPU has; choose() takes such a plan as the last.
bool is_beyond_memory(const domain::Plan& plan, const domain::Cluster& cluster);

// One sentence on the type of GPU that is nearest to its end. Empty where each has what the
// estimate says and its error (cost::memory_error) besides, or has memory that is not known.
std::string memory_remark(const domain::Plan& plan, const domain::Cluster& cluster);

}  // namespace hora::plan
