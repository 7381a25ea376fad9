// What does the legend of a picture say, and how is it laid out?
#include "libplanner/report/svg/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "libplanner/report/svg/svg_text.hpp"
#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

constexpr double swatch_width = 30;
constexpr double line_height = 22;
constexpr double font_size = 12;

bool stands_before(const LegendEntry& one, const LegendEntry& other) {
    return std::tuple(one.kind != LegendKind::link, -one.bandwidth.count(), one.text) <
           std::tuple(other.kind != LegendKind::link, -other.bandwidth.count(), other.text);
}

void draw_swatch(SvgCanvas& canvas, const LegendEntry& entry, double x, double y) {
    const std::string path = fmt::format("M{:.0f} {:.0f}h{:.0f}", x, y, swatch_width);
    if (entry.kind == LegendKind::link) {
        canvas.add_path(path, line_of(entry.bandwidth));
    } else {
        draw_ring_link(canvas, path, entry.bandwidth, entry.kind == LegendKind::slowest);
    }
}

}  // namespace

void Legend::add(LegendEntry entry) {
    if (std::find(entries_.begin(), entries_.end(), entry) == entries_.end()) {
        entries_.push_back(std::move(entry));
    }
}

double Legend::draw(SvgCanvas& canvas, double x, double y, double width) const {
    std::vector<LegendEntry> sorted = entries_;
    std::stable_sort(sorted.begin(), sorted.end(), stands_before);
    canvas.open_group("legend", "colours by speed");
    double left = x;
    for (const LegendEntry& entry : sorted) {
        constexpr double text_gap = 8;
        const double room = width - swatch_width - text_gap;
        const double text = std::min(room, width_of(characters_of(entry.text), font_size));
        if (left > x && left + swatch_width + text_gap + text > x + width) {
            left = x;
            y += line_height;
        }
        draw_swatch(canvas, entry, left, y + line_height / 2);
        canvas.add_text(left + swatch_width + text_gap, y + line_height / 2 + 4, entry.text, room,
                        {.size = font_size});
        left += swatch_width + text_gap + text + 22;
    }
    canvas.close_group();
    return sorted.empty() ? y : y + line_height;
}

void draw_ring_link(SvgCanvas& canvas, std::string_view path, Bandwidth bandwidth,
                    bool is_slowest) {
    if (is_slowest) {
        canvas.add_path(path, {"#ffdd70", 16});
    }
    canvas.add_path(path, {look_of(bandwidth).colour, 8});
    canvas.add_path(path, {"#ffffff", 2});
}

LineLook line_of(Bandwidth bandwidth) {
    const LinkLook look = look_of(bandwidth);
    return {look.colour, look.width, !(bandwidth > Bandwidth(0))};
}

}  // namespace hora::report
