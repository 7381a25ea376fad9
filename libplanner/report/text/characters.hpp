// Which characters has a text that others wrote, and which of them do no harm where it is shown?
#pragma once

#include <string>
#include <string_view>

namespace hora::report {

// The text's characters, all of which XML 1.0 may hold: what is no UTF-8, or turns the direction of
// writing, becomes U+FFFD, and control characters become spaces.
std::u32string characters_of(std::string_view text);

std::string utf8_of(std::u32string_view text);

// UTF-8, for use as text or within an attribute's double quotes.
std::string xml_of(std::u32string_view text);

}  // namespace hora::report
