// Which choices are best if weight has a price, and which price just uses the capacity up?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/elastic/policies/grouped_knapsack.hpp"

namespace hora::elastic {

// Steps along the concave hull of each group's values, the steepest first, until the next one would
// exceed the capacity: its slope is the price. At that price every group has its best choice, so
// that no packing is worth more than value + price * (capacity - weight).
struct Relaxation {
    std::vector<std::uint32_t> chosen;  // by group: 1 + place of its item; 0: nothing
    std::uint64_t weight = 0;           // of these, at most the capacity
    double price = 0;                   // of one unit of weight
};

// `is_bound`: the sum has to be the capacity, so that even steps at a loss are taken; otherwise
// only those that are worth something, and the price is 0 if they all fit. O(items + capacity log
// groups); among equal steps the first group's comes first.
Relaxation relax(std::span<const Group> groups, std::uint64_t capacity, bool is_bound);

}  // namespace hora::elastic
