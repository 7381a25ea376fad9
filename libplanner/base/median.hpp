// Which value lies in the middle?
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace hora {

// The mean of both in the middle of an even number. At least one value; reorders them. O(n).
inline double median(std::span<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return values.size() % 2 == 1 ? *middle
                                  : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace hora
