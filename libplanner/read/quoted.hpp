// How a stranger's text is shown in a message: in quotes, printable and short.
#pragma once

#include <string>
#include <string_view>

namespace hora::read {

// Control characters become '?', and more than 64 characters are cut with "...": a message can
// neither move the reader's cursor nor fill his screen.
std::string quoted(std::string_view text);

}  // namespace hora::read
