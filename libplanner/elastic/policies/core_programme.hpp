// Which changes to a choice of each group cost least and use up what is left of a capacity?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace hora::elastic {

// Another choice of a group than its best at the price.
struct OtherChoice {
    std::uint32_t group = 0;
    std::uint32_t item = 0;   // 1 + its place in the group; 0: nothing
    std::int64_t weight = 0;  // more than the best one's, or less
    double cost = 0;          // >= 0, at the price
};

struct Core {
    std::vector<OtherChoice> changes;  // by group, one group's side by side
    std::int64_t residual = 0;         // capacity that the best choices leave, > 0
    bool is_bound = false;  // it has to be used up; otherwise what is left costs the price
    double price = 0;       // > 0 unless bound
};

struct Solution {
    std::vector<OtherChoice> changes;  // at most one a group
    double cost = 0;
};

// The least cost, if it is at most `limit`: a dynamic programme over the sum of the weights, in
// which whatever costs more than the limit or cannot come back to the residual is left out. `core`
// has no change that costs more than the limit.
std::optional<Solution> solve(const Core& core, double limit);

}  // namespace hora::elastic
