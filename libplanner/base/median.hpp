// Which value lies in the middle?
#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>

namespace hora {

// The mean of both in the middle of an even number. At least one value; reorders them. O(n).
template <std::ranges::random_access_range Values>
std::ranges::range_value_t<Values> median(Values&& values) {
    const auto begin = std::ranges::begin(values);
    const auto end = std::ranges::end(values);
    const std::ptrdiff_t size = std::ranges::ssize(values);
    const auto middle = begin + size / 2;
    std::nth_element(begin, middle, end);
    return size % 2 == 1 ? *middle : (*middle + *std::max_element(begin, middle)) / 2;
}

}  // namespace hora
