// Which resize is it that an administrator requests manually, and is that allowed?
#pragma once

#include <vector>

#include "scripts/horad/elastic/pools.hpp"
#include "scripts/horad/journal/resize.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/resize_requests.hpp"

namespace hora::horad {

// Fails, in words for the caller, where the job is over or is not elastic, where its owner does not
// allow it this many GPUs, and where its time limit would end it on so few, unless the request is
// forced. `pools`: as they were at the last decision.
Expected<Resize> resize_of(const ResizeRequest& request, const Observation& seen,
                           const std::vector<elastic::Pool>& pools, const read::Settings& settings);

// The same, and fails where who asked may not.
Expected<Resize> granted(const ResizeRequest& request, const Observation& seen,
                         const std::vector<elastic::Pool>& pools, const read::Settings& settings);

}  // namespace hora::horad
