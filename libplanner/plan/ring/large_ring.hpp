// Which order is good for a ring of more GPUs than can be searched through?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/plan/ring/link_table.hpp"

namespace hora::plan {

// At least one GPU. The same question as best_ring() and best_chain(); what they hold is said
// there.
std::vector<std::uint32_t> large_cycle(const LinkTable& links);
std::vector<std::uint32_t> large_path(const LinkTable& links);

}  // namespace hora::plan
