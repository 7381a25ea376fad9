// Which indices does "0-3,7" name, and how are indices written so?
#include "libplanner/read/index_ranges.hpp"

#include <fmt/format.h>

#include <iterator>

#include "libplanner/read/leading_number.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

bool take_character(std::string_view& text, char character) {
    if (!text.starts_with(character)) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

}  // namespace

Expected<std::vector<std::uint32_t>> expand_ranges(std::string_view text, std::uint32_t bound) {
    std::vector<std::uint32_t> indices;
    std::string_view rest = text;
    while (!rest.empty()) {
        std::uint32_t first = 0;
        bool is_good = (indices.empty() || take_character(rest, ',')) && take_number(rest, first);
        std::uint32_t last = first;
        if (is_good && take_character(rest, '-')) {
            is_good = take_number(rest, last);
        }
        if (!is_good || last < first || last >= bound ||
            (!indices.empty() && first <= indices.back())) {
            return failure(
                fmt::format("{} is no list of ascending indices below {}, such as "
                            "\"0-3,7\"",
                            quoted(text), bound));
        }
        for (std::uint32_t index = first; index <= last; ++index) {
            indices.push_back(index);
        }
    }
    return indices;
}

std::string fold_ranges(std::span<const std::uint32_t> indices) {
    std::string text;
    for (std::size_t i = 0; i < indices.size();) {
        std::size_t end = i + 1;
        while (end < indices.size() && indices[end] == indices[end - 1] + 1) {
            ++end;
        }
        fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ",", indices[i]);
        if (end - i > 1) {
            fmt::format_to(std::back_inserter(text), "-{}", indices[end - 1]);
        }
        i = end;
    }
    return text;
}

}  // namespace hora::read
