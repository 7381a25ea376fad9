// Is this text a whole number within bounds?
#pragma once

#include <cstdint>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::read {

struct WholeRange {
    std::uint64_t min = 0;
    std::uint64_t max = 0;
};

// Decimal digits only, no sign, no space, no unit: what is not plainly a number is refused.
Expected<std::uint64_t> parse_whole_number(std::string_view text, WholeRange range);

}  // namespace hora::read
