// Which sums of weights can the groups have at all?
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "libplanner/elastic/policies/grouped_knapsack.hpp"

namespace hora::elastic {

// The smallest sum of at least `least` that some choice has. A set of bits, shifted and joined:
// O(groups * log(items of one) * least / 64) where weights come in equal steps.
std::optional<std::uint32_t> smallest_sum(std::span<const Group> groups, std::uint32_t least);

}  // namespace hora::elastic
