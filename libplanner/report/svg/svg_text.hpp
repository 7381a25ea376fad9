// How does an untrusted text go into an SVG picture: how wide is it, what is cut, what is escaped?
#pragma once

#include <string>
#include <string_view>

namespace hora::report {

// The text's characters, all of which XML 1.0 may hold: what is no UTF-8, or turns the direction of
// writing, becomes U+FFFD, and control characters become spaces.
std::u32string characters_of(std::string_view text);

// In pixels, rather too much than too little: there is no font here to ask.
double width_of(std::u32string_view text, double font_size);

// Cut with "…" where it would be wider.
std::u32string shortened(std::u32string text, double width, double font_size);

std::string utf8_of(std::u32string_view text);

// UTF-8, for use as text or within an attribute's double quotes.
std::string xml_of(std::u32string_view text);

}  // namespace hora::report
