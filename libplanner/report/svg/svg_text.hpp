// How wide is a text in an SVG picture, and what of it is cut?
#pragma once

#include <string>
#include <string_view>

namespace hora::report {

// In pixels, rather too much than too little: there is no font here to ask.
double width_of(std::u32string_view text, double font_size);

// Cut with "…" where it would be wider.
std::u32string shortened(std::u32string text, double width, double font_size);

}  // namespace hora::report
