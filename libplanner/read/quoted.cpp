// How an untrusted text is shown in a message: in quotes, printable and short.
#include "libplanner/read/quoted.hpp"

#include <algorithm>
#include <cstddef>

#include "libplanner/read/character_cut.hpp"

namespace hora::read {
namespace {

constexpr std::size_t longest_shown = 64;

bool is_control(unsigned char letter) {
    return letter < 0x20 || letter == 0x7f;
}

// The second byte of U+0080 to U+009F, which terminals obey as well.
bool ends_control(unsigned char before, unsigned char letter) {
    return before == 0xc2 && letter >= 0x80 && letter < 0xa0;
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
    std::string shown;
    shown.reserve(std::min(text.size(), longest) + 3);
    unsigned char before = 0;
    for (const char letter : cut_between_characters(text, longest)) {
        const auto code = static_cast<unsigned char>(letter);
        if (ends_control(before, code)) {
            shown.back() = '?';
        } else {
            shown += is_control(code) ? '?' : letter;
        }
        before = code;
    }
    return text.size() > longest ? shown + "..." : shown;
}

bool has_control(std::string_view text) {
    unsigned char before = 0;
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (is_control(code) || ends_control(before, code)) {
            return true;
        }
        before = code;
    }
    return false;
}

std::string quoted(std::string_view text) {
    return '"' + printable(text, longest_shown) + '"';
}

std::string quoted_path(std::string_view path) {
    return '"' + printable(path, path.size()) + '"';
}

}  // namespace hora::read
