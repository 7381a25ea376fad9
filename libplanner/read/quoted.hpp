// How an untrusted text is shown in a message: in quotes, printable and short.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hora::read {

// One line: control characters, which could begin a line of their own or move the cursor of a
// reader's terminal, become '?', and what is longer is cut with "...".
std::string printable(std::string_view text, std::size_t longest);

// C0, DEL, or C1 (U+0080 to U+009F in UTF-8).
bool has_control(std::string_view text);

// In quotes: control characters become '?', and more than 64 characters are cut with "...": a
// message can neither move a terminal's cursor nor fill it.
std::string quoted(std::string_view text);

// A path likewise, but whole: its end distinguishes it from others.
std::string quoted_path(std::string_view path);

}  // namespace hora::read
