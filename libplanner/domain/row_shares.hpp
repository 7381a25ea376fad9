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

// Of `rows` rows the share `rate` (0 … 1), rounded up, and of these the part `frequent` (0 … 1),
// rounded down: at a part below 1 there is a random one where the rate is above 0. Rate 1 is all
// rows.
inline RowShares shares_for(std::uint32_t rows, double rate, double frequent = 0.5) {
    const auto both = static_cast<std::uint32_t>(std::ceil(rate * rows));
    const auto first = static_cast<std::uint32_t>(frequent * both);
    return {.frequent = first, .random = both - first};
}

}  // namespace hora::domain
