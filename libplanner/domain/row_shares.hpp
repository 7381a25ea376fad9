// How many rows of a large table does a step exchange beside those of its words (P4)?
#pragma once

#include <cmath>
#include <cstdint>

namespace hora::domain {

struct RowShares {
    std::uint32_t frequent = 0;  // rows 0 … frequent − 1: words are numbered by falling frequency
    std::uint32_t random = 0;    // of the others

    friend bool operator==(const RowShares&, const RowShares&) = default;
};

// Of `rows` rows the share `rate` (0 … 1), rounded up: half frequent and half random ones, of which
// there is one where the rate is above 0. 1 is all rows.
inline RowShares shares_for(std::uint32_t rows, double rate) {
    const auto both = static_cast<std::uint32_t>(std::ceil(rate * rows));
    return {.frequent = both / 2, .random = both - both / 2};
}

}  // namespace hora::domain
