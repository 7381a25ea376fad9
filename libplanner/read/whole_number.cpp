// Is this text a whole number within bounds?
#include "libplanner/read/whole_number.hpp"

#include <fmt/format.h>

#include <charconv>

#include "libplanner/read/quoted.hpp"

namespace hora::read {

Expected<std::uint64_t> parse_whole_number(std::string_view text, WholeRange range) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, status] = std::from_chars(text.data(), end, number);
    if (text.empty() || stopped != end || status == std::errc::invalid_argument) {
        return wrong_use(fmt::format("{} is not a whole number; give {} to {}", quoted(text),
                                     range.min, range.max));
    }
    if (status != std::errc() || number < range.min || number > range.max) {
        return wrong_use(
            fmt::format("{} is out of range; give {} to {}", quoted(text), range.min, range.max));
    }
    return number;
}

}  // namespace hora::read
