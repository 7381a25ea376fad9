// How wide is a text in an SVG picture, and what of it is cut?
#include "libplanner/report/svg/svg_text.hpp"

#include <cstddef>

namespace hora::report {
namespace {

// Characters that are about as wide as each other.
struct Class {
    std::u32string_view characters;
    double width;
};

constexpr Class classes[] = {
    {U" .,:;'|ijlIJf-/\\·", 0.4},
    {U"!()[]rt", 0.45},
    {U"ABCEFKLPRSTVXYZ", 0.71},
    {U"&DGHNOQU", 0.8},
    {U"#+<=>^w~×≥", 0.85},
    {U"M", 0.91},
    {U"%@Wm—…", 1.01},
};

// As a part of the font's size: of DejaVu Sans, which is wider than most, and of its bold letters
// less a tenth (svg_canvas.cpp).
double width_of(char32_t character) {
    for (const Class& one : classes) {
        if (one.characters.find(character) != one.characters.npos) {
            return one.width;
        }
    }
    constexpr char32_t first_wide_script = 0x1100;
    return character >= first_wide_script && character != U'–' ? 1 : 0.66;
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
    const double left = width - width_of(U"…", font_size);
    double taken = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        taken += width_of(text[i]) * font_size;
        kept = taken <= left ? i + 1 : kept;
        if (taken > width) {
            return text.substr(0, kept) + U"…";
        }
    }
    return text;
}

}  // namespace hora::report
