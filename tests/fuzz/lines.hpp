// Which lines does an input of a fuzz target hold?
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hora::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

// Up to the first such character, which is taken off with it.
inline std::string_view take_until(std::string_view& text, char end) {
    const std::string_view part = text.substr(0, text.find(end));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return part;
}

inline std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        lines.push_back(take_until(text, '\n'));
    }
    return lines;
}

}  // namespace hora::fuzz
