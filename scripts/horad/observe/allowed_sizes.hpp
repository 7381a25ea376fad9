// Of the numbers of GPUs that a job may have, which did its owner choose (--hora-sizes)?
//
// domain::SizeRule answers it for each number of GPUs of a whole node: of a submission that is the
// number of the nodes that it may have (request::narrowed), here that of the plan, which stays.
#pragma once

#include <cstdint>
#include <vector>

#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// Those from `min` to `max`, ascending; of one that may have any number, none: each is allowed.
// A whole node is what it was planned on.
std::vector<std::uint32_t> allowed_sizes(const JobMemory& job, std::uint32_t min,
                                         std::uint32_t max);

bool allows(const JobMemory& job, std::uint32_t gpus);

// Is it to have whole nodes and nothing else?
bool has_whole_nodes(const domain::Decision& decision);

}  // namespace hora::horad
