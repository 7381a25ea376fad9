// The picture of a machine: its GPU topology, and how a ring passes its GPUs.
#include "libplanner/report/svg/topology_svg.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "libplanner/model/links/path.hpp"
#include "libplanner/report/machine/ring.hpp"
#include "libplanner/report/svg/legend.hpp"
#include "libplanner/report/svg/machine_boxes.hpp"
#include "libplanner/report/svg/machine_labels.hpp"
#include "libplanner/report/svg/ring_picture.hpp"
#include "libplanner/report/svg/svg_canvas.hpp"
#include "libplanner/report/svg/svg_text.hpp"
#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using domain::Topology;

constexpr double margin = 24;
constexpr double least_width = 600;
constexpr double small_text = 12;
constexpr std::string_view grey = "#57606a";

struct Kind {
    std::string_view name;
    BoxLook look;
    double text_size;
};

Kind kind_of(ObjectKind kind) {
    switch (kind) {
        case ObjectKind::gpu:
            return {"gpu", {"#e3f1dc", "#4d7f33", 6}, 14};
        case ObjectKind::nic:
            return {"nic", {"#f6efe2", "#8a6d3b", 6}, 12};
        case ObjectKind::bridge:
            return {"switch", {"#eef1f5", "#5c6773", 4}, 12};
        case ObjectKind::host_bridge:
            return {"host_bridge", {"#f7f8fa", "#8b95a1", 4}, 11};
        case ObjectKind::numa_node:
            return {"numa_node", {"#edf2f8", "#42546a", 4}, 12};
        default:
            return {"socket", {"#dbe5f0", "#42546a", 4}, 13};
    }
}

class Picture {
  public:
    Picture(const Topology& topology, const plan::RingFigures& ring)
        : topology_(topology), ring_(ring), boxes_(boxes_of(topology)) {
        width_ = std::max(boxes_.width + 2 * margin, least_width);
        caption_ = ring_caption(ring);
    }

    std::string text() {
        double y = draw_header();
        y = draw_rail(y + 14);
        shift((width_ - boxes_.width) / 2, y);
        for (const MachineBox& box : boxes_.boxes) {
            draw_link(box);
        }
        for (const MachineBox& box : boxes_.boxes) {
            draw_box(box);
        }
        y = draw_below_gpus(canvas_, legend_, topology_, boxes_, ring_) + 36;
        canvas_.add_text(margin, y, caption_, room(), {.size = 14, .is_bold = true});
        y = legend_.draw(canvas_, margin, y + 10, room());
        y = draw_note(y);
        return canvas_.document(width_, y + margin - 6,
                                "GPU topology of " + machine_name(topology_), description());
    }

  private:
    double room() const { return width_ - 2 * margin; }

    // The machine's name, and what is in it, in as many lines as that takes.
    double draw_header() {
        double y = margin + 12;
        canvas_.add_text(margin, y, machine_name(topology_), room(), {.size = 18, .is_bold = true});
        std::string line;
        const auto end_line = [&] {
            y += 18;
            canvas_.add_text(margin, y, line, room(), {.size = small_text, .colour = grey});
        };
        for (const std::string& part : contents_of(topology_)) {
            const std::string longer = line.empty() ? part : line + "  ·  " + part;
            if (!line.empty() && width_of(characters_of(longer), small_text) > room()) {
                end_line();
                line = part;
            } else {
                line = longer;
            }
        }
        if (!line.empty()) {
            end_line();
        }
        return y;
    }

    std::vector<const MachineBox*> sockets() const {
        std::vector<const MachineBox*> found;
        for (const std::uint32_t root : boxes_.roots) {
            if (boxes_.boxes[root].kind == ObjectKind::socket) {
                found.push_back(&boxes_.boxes[root]);
            }
        }
        return found;
    }

    // The link between the sockets, above them. Returns where they start.
    double draw_rail(double y) {
        const auto roots = sockets();
        if (roots.size() < 2) {
            return y;
        }
        constexpr double above = 20;
        constexpr double below = 22;
        const double left = (width_ - boxes_.width) / 2;
        const Bandwidth bandwidth = model::between_sockets(topology_.processor);
        const std::string text = fmt::format("between sockets, {}", rounded_speed(bandwidth));
        const double rail = y + above;
        canvas_.open_group("link", text);
        canvas_.add_path(bracket_path(left + roots.front()->middle(), left + roots.back()->middle(),
                                      rail + below, rail),
                         line_of(bandwidth));
        for (std::size_t i = 1; i + 1 < roots.size(); ++i) {
            canvas_.add_path(vertical_path(left + roots[i]->middle(), rail, rail + below),
                             line_of(bandwidth));
        }
        canvas_.close_group();
        canvas_.add_text(width_ / 2, rail - 8, text, room(),
                         {.size = small_text, .anchor = "middle"});
        legend_.add({LegendKind::link, bandwidth, text});
        return rail + below;
    }

    void shift(double x, double y) {
        for (MachineBox& box : boxes_.boxes) {
            box.x += x;
            box.y += y;
        }
        boxes_.bottom += y;
    }

    void draw_link(const MachineBox& box) {
        if (box.parent == no_box || box.kind == ObjectKind::numa_node ||
            box.kind == ObjectKind::socket) {
            return;
        }
        const MachineBox& parent = boxes_.boxes[box.parent];
        const std::string path = vertical_path(box.middle(), parent.bottom(), box.y);
        if (box.kind == ObjectKind::host_bridge) {  // a part of the processor
            canvas_.add_path(path, {"#42546a", 2});
            return;
        }
        const std::string text = pcie_text(box.uplink);
        canvas_.open_group("link", text + (box.uplink.is_usual ? " (assumed)" : ""));
        canvas_.add_path(path, line_of(box.uplink.bandwidth));
        canvas_.close_group();
        legend_.add({LegendKind::link, box.uplink.bandwidth, text});
    }

    void draw_box(const MachineBox& box) {
        const Kind kind = kind_of(box.kind);
        const BoxLabel label = label_of(topology_, box);
        canvas_.open_group(kind.name, label.title);
        canvas_.add_box({box.x, box.y, box.width, box.height}, kind.look);
        const auto lines =
            static_cast<double>(std::count_if(label.lines.begin(), label.lines.end(),
                                              [](const auto& line) { return !line.empty(); }));
        constexpr double line_height = 16;
        double y = box.y + (box.height - line_height * lines) / 2 + 12.5;
        for (const std::string& line : label.lines) {
            if (line.empty()) {
                continue;
            }
            const bool is_heading = &line == &label.lines.front();
            canvas_.add_text(box.middle(), y, line, box.width - 8,
                             {.size = is_heading ? kind.text_size : 11,
                              .is_bold = is_heading && box.kind != ObjectKind::host_bridge,
                              .anchor = "middle"});
            y += line_height;
        }
        canvas_.close_group();
    }

    double draw_note(double y) {
        if (ring_.links.empty()) {
            return y;
        }
        const Bandwidth most = all_reduce_at_most(ring_);
        const std::string pace =
            most > Bandwidth(0) ? fmt::format("all-reduce at most {}; ", rounded_speed(most)) : "";
        const std::string note = fmt::format("{}one way, links as specified, ring as {}", pace,
                                             is_measured() ? "measured" : "NCCL counts");
        y += 16;
        canvas_.add_text(margin, y, note, room(), {.size = 11, .colour = grey});
        return y;
    }

    bool is_measured() const {
        return std::any_of(ring_.links.begin(), ring_.links.end(), [&](const auto& link) {
            return !topology_.paths.empty() &&
                   topology_.path(ring_.stops[link.a].gpu, ring_.stops[link.b].gpu).is_measured;
        });
    }

    std::string description() const {
        return fmt::format("{}; {}", fmt::join(contents_of(topology_), ", "), caption_);
    }

    const Topology& topology_;
    const plan::RingFigures& ring_;
    MachineBoxes boxes_;
    double width_ = 0;
    std::string caption_;
    SvgCanvas canvas_;
    Legend legend_;
};

}  // namespace

std::string to_svg(const Topology& topology, const plan::RingFigures& ring) {
    return Picture(topology, ring).text();
}

}  // namespace hora::report
