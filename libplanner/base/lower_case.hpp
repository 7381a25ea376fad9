// How is a text written in small letters? By ASCII, whatever the locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace hora {

constexpr char lower_case(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

inline std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(text.begin(), text.end(), lower.begin(), [](char c) { return lower_case(c); });
    return lower;
}

// But for capital letters.
constexpr bool is_same_word(std::string_view one, std::string_view other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](char a, char b) { return lower_case(a) == lower_case(b); });
}

}  // namespace hora
