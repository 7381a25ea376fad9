// Which elements does an SVG picture have, and how are they written?
#include "libplanner/report/svg/svg_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "libplanner/report/svg/svg_text.hpp"
#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

constexpr BoxLook background{"#ffffff", "#d0d7de", 8};

double tenth(double length) {
    return std::round(length * 10) / 10 + 0.0;  // never "-0"
}

std::string title_element(std::string_view title) {
    return fmt::format("<title>{}</title>\n", xml_of(characters_of(title)));
}

std::string box_element(const Area& area, const BoxLook& look) {
    return fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" "
        "stroke=\"{}\"/>\n",
        tenth(area.x), tenth(area.y), tenth(area.width), tenth(area.height), look.radius, look.fill,
        look.stroke);
}

}  // namespace

void SvgCanvas::open_group(std::string_view name, std::string_view title) {
    elements_ += fmt::format("<g class=\"{}\">\n{}", name, title_element(title));
}

void SvgCanvas::close_group() {
    elements_ += "</g>\n";
}

void SvgCanvas::add_box(const Area& area, const BoxLook& look) {
    elements_ += box_element(area, look);
}

void SvgCanvas::add_path(std::string_view path, const LineLook& look) {
    elements_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" "
        "stroke-linejoin=\"round\"{}/>\n",
        path, look.colour, look.width, look.is_dashed ? " stroke-dasharray=\"4 4\"" : "");
}

void SvgCanvas::add_text(double x, double y, std::string_view text, double room,
                         const TextLook& look) {
    constexpr double bold_is_wider = 1.1;
    const double size = look.size * (look.is_bold ? bold_is_wider : 1);
    elements_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{}{}>{}</text>\n", tenth(x), tenth(y),
        look.size, look.colour, look.is_bold ? " font-weight=\"bold\"" : "",
        look.anchor == "start" ? "" : fmt::format(" text-anchor=\"{}\"", look.anchor),
        xml_of(shortened(characters_of(text), room, size)));
}

std::string SvgCanvas::document(double width, double height, std::string_view title,
                                std::string_view description) const {
    constexpr double edge = 0.5;
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" role=\"img\" width=\"{0}\" "
        "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\">\n"
        "{2}<desc>{3}</desc>\n{4}{5}</svg>\n",
        tenth(width), tenth(height), title_element(title), xml_of(characters_of(description)),
        box_element({edge, edge, width - 1, height - 1}, background), elements_);
}

std::string vertical_path(double x, double from, double to) {
    return fmt::format("M{} {}V{}", tenth(x), tenth(from), tenth(to));
}

std::string bracket_path(double left, double right, double top, double depth) {
    const double radius = std::min({6.0, (right - left) / 2, std::abs(depth - top)});
    const double turn = depth > top ? radius : -radius;
    return fmt::format("M{0} {1}V{2}Q{0} {3} {4} {3}H{5}Q{6} {3} {6} {2}V{1}", tenth(left),
                       tenth(top), tenth(depth - turn), tenth(depth), tenth(left + radius),
                       tenth(right - radius), tenth(right));
}

}  // namespace hora::report
