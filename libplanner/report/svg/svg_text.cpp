// How wide is a text in an SVG picture, and what of it is cut?
#include "libplanner/report/svg/svg_text.hpp"

namespace hora::report {
namespace {

bool is_between(char32_t character, char32_t first, char32_t last) {
    return character >= first && character <= last;
}

// As a part of the font's size: of DejaVu Sans, which is wider than most.
double width_of(char32_t character) {
    constexpr std::u32string_view narrow = U" .,:;!'()[]|ijlIft-/";
    constexpr std::u32string_view wide = U"mwMW@%—…×≥";
    if (character >= 0x1100 && character != U'…' && character != U'≥' && character != U'–') {
        return 1;
    }
    return narrow.find(character) != narrow.npos ? 0.4
           : wide.find(character) != wide.npos   ? 0.98
           : is_between(character, U'A', U'Z')   ? 0.72
                                                 : 0.62;
}

}  // namespace

double width_of(std::u32string_view text, double font_size) {
    double width = 0;
    for (const char32_t character : text) {
        width += width_of(character) * font_size;
    }
    return width;
}

std::u32string shortened(std::u32string text, double width, double font_size) {
    if (width_of(text, font_size) <= width) {
        return text;
    }
    const double left = width - width_of(U"…", font_size);
    while (!text.empty() && width_of(text, font_size) > left) {
        text.pop_back();
    }
    return text + U"…";
}

}  // namespace hora::report
