// How a stranger's text is shown in a message: in quotes, printable and short.
#include "libplanner/read/quoted.hpp"

#include <cstddef>

namespace hora::read {
namespace {

constexpr std::size_t longest_shown = 64;

bool is_control(char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return code < 0x20 || code == 0x7f;
}

}  // namespace

std::string quoted(std::string_view text) {
    std::string shown = "\"";
    for (const char letter : text.substr(0, longest_shown)) {
        shown += is_control(letter) ? '?' : letter;
    }
    return shown + (text.size() > longest_shown ? "...\"" : "\"");
}

}  // namespace hora::read
