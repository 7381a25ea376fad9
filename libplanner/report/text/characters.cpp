// Which characters has a text that others wrote, and which of them do no harm where it is shown?
#include "libplanner/report/text/characters.hpp"

#include <cstddef>

namespace hora::report {
namespace {

constexpr char32_t replacement = 0xfffd;

bool is_between(char32_t character, char32_t first, char32_t last) {
    return character >= first && character <= last;
}

char32_t harmless(char32_t character) {
    if (character < 0x20 || is_between(character, 0x7f, 0x9f)) {
        return U' ';
    }
    const bool is_no_character = is_between(character, 0xd800, 0xdfff) || character > 0x10ffff ||
                                 (character & 0xfffe) == 0xfffe;
    const bool turns_direction =
        is_between(character, 0x202a, 0x202e) || is_between(character, 0x2066, 0x2069);
    return is_no_character || turns_direction ? replacement : character;
}

// How many bytes follow this first one; none may start with a byte of 0x80 ... 0xc1.
std::size_t bytes_after(unsigned char first) {
    return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

// One character; takes its bytes from the front of the text, at least one.
char32_t take_character(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    if (first < 0x80) {
        return first;
    }
    const std::size_t more = bytes_after(first);
    if (first < 0xc2 || first > 0xf4 || text.size() < more) {
        return replacement;
    }
    char32_t character = first & (0x3fu >> more);
    for (std::size_t i = 0; i < more; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xc0u) != 0x80u) {
            return replacement;
        }
        character = character << 6 | (next & 0x3fu);
    }
    constexpr char32_t least[] = {0x80, 0x800, 0x10000};
    if (character < least[more - 1]) {
        return replacement;
    }
    text.remove_prefix(more);
    return character;
}

void append_utf8(std::string& to, char32_t character) {
    const auto append = [&](char32_t byte) { to += static_cast<char>(byte); };
    if (character < 0x80) {
        append(character);
    } else if (character < 0x800) {
        append(0xc0 | character >> 6);
        append(0x80 | (character & 0x3f));
    } else if (character < 0x10000) {
        append(0xe0 | character >> 12);
        append(0x80 | (character >> 6 & 0x3f));
        append(0x80 | (character & 0x3f));
    } else {
        append(0xf0 | character >> 18);
        append(0x80 | (character >> 12 & 0x3f));
        append(0x80 | (character >> 6 & 0x3f));
        append(0x80 | (character & 0x3f));
    }
}

}  // namespace

std::u32string characters_of(std::string_view text) {
    std::u32string characters;
    while (!text.empty()) {
        characters += harmless(take_character(text));
    }
    return characters;
}

std::string utf8_of(std::u32string_view text) {
    std::string utf8;
    for (const char32_t character : text) {
        append_utf8(utf8, character);
    }
    return utf8;
}

std::string xml_of(std::u32string_view text) {
    std::string xml;
    for (const char32_t character : text) {
        switch (character) {
            case U'&':
                xml += "&amp;";
                break;
            case U'<':
                xml += "&lt;";
                break;
            case U'>':
                xml += "&gt;";
                break;
            case U'"':
                xml += "&quot;";
                break;
            default:
                append_utf8(xml, character);
        }
    }
    return xml;
}

}  // namespace hora::report
