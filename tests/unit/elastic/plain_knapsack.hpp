// The grouped knapsack as its recurrence has it: what the fast one is compared with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "libplanner/elastic/policies/grouped_knapsack.hpp"

namespace hora::elastic {

// F[i][k] = max over the items of group i of F[i-1][k - weight] + value, k the exact sum of the
// weights: O(items * capacity).
double plainly_at_most(std::span<const Group> groups, std::uint32_t capacity);

struct Exact {
    std::uint32_t sum = 0;
    double value = 0;
};

// None: every sum is smaller.
std::optional<Exact> plainly_at_least(std::span<const Group> groups, std::uint32_t least);

// The same as P5's listing does it, with the choices kept, for a comparison of times.
Packing plain_packing(std::span<const Group> groups, std::uint32_t capacity);

}  // namespace hora::elastic
