// Which number does a text begin with?
#pragma once

#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>

namespace hora::read {

// Cuts the number off the text; without one, or with one that is too large, nothing changes.
template <class Number>
bool take_number(std::string_view& text, Number& number) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc()) {
        return false;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

}  // namespace hora::read
