// Where may a long text be cut?
#pragma once

#include <cstddef>
#include <string_view>

namespace hora::read {

// At most the first `longest` bytes, and no part of a character of UTF-8 (RFC 3629: one byte that
// begins it and up to three that continue it). What is no UTF-8 is cut anywhere.
inline std::string_view cut_between_characters(std::string_view text, std::size_t longest) {
    constexpr std::size_t most_continued = 3;
    if (text.size() <= longest) {
        return text;
    }
    const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(text[place]); };
    const auto is_continued = [&](std::size_t place) { return (byte(place) & 0xc0U) == 0x80U; };
    std::size_t end = longest;
    while (end > 0 && longest - end < most_continued && is_continued(end)) {
        --end;
    }
    return text.substr(0, byte(end) >= 0xc0 ? end : longest);
}

}  // namespace hora::read
