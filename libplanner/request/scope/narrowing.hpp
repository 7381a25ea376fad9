// What is left to plan once the user's own words and the limits are respected?
#pragma once

#include "libplanner/base/error.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/request/scope/limits.hpp"
#include "libplanner/request/scope/scope.hpp"
#include "libplanner/request/scope/submission.hpp"

namespace hora::request {

// One rank drives one GPU, so tasks that the user counted count GPUs, unless the request counts
// both. Fails, in words for the user, where a limit leaves less than the request must have or its
// shape is none of nodes with the same number of GPUs each.
Expected<domain::Request> narrowed(const domain::Request& requested, const Submission& submission,
                                   const Scope& scope, const Limits& limits,
                                   const domain::Snapshot& snapshot);

}  // namespace hora::request
