// Which elements does an SVG picture have, and how are they written?
#pragma once

#include <string>
#include <string_view>

namespace hora::report {

struct Area {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

struct BoxLook {
    std::string_view fill;
    std::string_view stroke;
    double radius = 0;
};

struct LineLook {
    std::string_view colour;
    double width = 0;
    bool is_dashed = false;
};

struct TextLook {
    double size = 0;
    bool is_bold = false;
    std::string_view colour = "#1c2430";
    std::string_view anchor = "start";  // "middle": x is the middle of the text
};

// Collects elements in the order in which they cover each other. Lengths are pixels, written to a
// tenth; texts and titles may be untrusted.
class SvgCanvas {
  public:
    // All until close_group() belongs together; people see the title where they point at it.
    void open_group(std::string_view name, std::string_view title);
    void close_group();

    void add_box(const Area& area, const BoxLook& look);
    // `path` is SVG's path data.
    void add_path(std::string_view path, const LineLook& look);
    // Cut where it would be wider than `room`.
    void add_text(double x, double y, std::string_view text, double room, const TextLook& look);

    // The whole document.
    std::string document(double width, double height, std::string_view title,
                         std::string_view description) const;

  private:
    std::string elements_;
};

std::string vertical_path(double x, double from, double to);
// From (left, top) down to `depth`, across, and up to (right, top), with round corners. `top` may
// be below `depth`.
std::string bracket_path(double left, double right, double top, double depth);

}  // namespace hora::report
