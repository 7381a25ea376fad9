// What does the legend of a picture say, and how is it laid out?
#pragma once

#include <string>
#include <vector>

#include "libplanner/base/units.hpp"
#include "libplanner/report/svg/link_colour.hpp"
#include "libplanner/report/svg/svg_canvas.hpp"

namespace hora::report {

enum class LegendKind { link, ring, slowest };

struct LegendEntry {
    LegendKind kind = LegendKind::link;
    Bandwidth bandwidth;
    std::string text;

    friend bool operator==(const LegendEntry&, const LegendEntry&) = default;
};

class Legend {
  public:
    // What stands there already is not added again.
    void add(LegendEntry entry);
    // In lines of at most `width` from (x, y) down: links before rings, the fastest first. Returns
    // where it ends.
    double draw(SvgCanvas& canvas, double x, double y, double width) const;

  private:
    std::vector<LegendEntry> entries_;
};

// A link of a ring is a double line; something shines behind the slowest.
void draw_ring_link(SvgCanvas& canvas, std::string_view path, Bandwidth bandwidth, bool is_slowest);
// A dash where the speed is not known.
LineLook line_of(Bandwidth bandwidth);

}  // namespace hora::report
