// What stands below the GPUs in the picture of a machine: their NVLinks, the ring, the NVSwitches.
#include "libplanner/report/svg/ring_picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/report/machine/ring.hpp"
#include "libplanner/report/svg/brackets.hpp"
#include "libplanner/report/svg/link_colour.hpp"
#include "libplanner/report/svg/svg_text.hpp"
#include "libplanner/report/text/characters.hpp"

namespace hora::report {
namespace {

using domain::ObjectKind;
using domain::Topology;

constexpr double inner_line_gap = 9;
constexpr double ring_line_gap = 24;
constexpr double label_size = 10;
constexpr double label_height = 15;

std::string link_name(const plan::RingFigures& ring, const plan::RingLink& link) {
    return fmt::format("GPU{}–GPU{}", ring.stops[link.a].gpu, ring.stops[link.b].gpu);
}

std::string nvlink_name(const Topology& topology) {
    constexpr std::uint16_t amd = 0x1002;
    return topology.objects[topology.gpus.front().object].vendor == amd ? "XGMI" : "NVLink";
}

std::string way_of(const Topology& topology, std::string_view kind) {
    return kind == "nvlink" ? "by " + nvlink_name(topology)
           : kind == "pix"  ? "by one switch"
           : kind == "pxb"  ? "by switches"
           : kind == "phb"  ? "by a host bridge"
           : kind == "node" ? "between host bridges"
                            : "between sockets";
}

class Band {
  public:
    Band(SvgCanvas& canvas, Legend& legend, const Topology& topology, const MachineBoxes& boxes,
         const plan::RingFigures& ring)
        : canvas_(canvas), legend_(legend), topology_(topology), ring_(ring), top_(boxes.bottom) {
        std::vector<std::pair<double, std::uint32_t>> across;
        for (const MachineBox& box : boxes.boxes) {
            if (box.kind == ObjectKind::gpu) {
                across.emplace_back(box.middle(), box.numbers.front());
                width_ = box.width;
            }
        }
        std::sort(across.begin(), across.end());
        place_.resize(topology.gpus.size());
        for (const auto& [middle, gpu] : across) {
            place_[gpu] = static_cast<std::uint32_t>(middles_.size());
            middles_.push_back(middle);
        }
        to_switches_.resize(topology.gpus.size());
        sort_nvlinks();
    }

    double draw() {
        constexpr double room = 0.9;
        constexpr double step = 12;
        for (const plan::RingLink& link : ring_.links) {
            brackets_.push_back({.a = place_[ring_.stops[link.a].gpu],
                                 .b = place_[ring_.stops[link.b].gpu],
                                 .is_outer = true});
        }
        inner_lines_ = lay_brackets(brackets_, middles_, width_ * room, step);
        double bottom = top_;
        for (const Bracket& one : brackets_) {
            bottom = std::max(bottom, depth_of(one));
        }
        if (has_switches()) {
            bottom = draw_switches(bottom + 22);
        }
        draw_nvlinks();
        draw_ring();
        return bottom;
    }

  private:
    // Those between two GPUs become brackets, those to NVSwitches are summed up.
    void sort_nvlinks() {
        std::vector<std::uint32_t> gpu_at(topology_.objects.size(), no_box);
        for (std::uint32_t i = 0; i < topology_.gpus.size(); ++i) {
            gpu_at[topology_.gpus[i].object] = i;
        }
        for (const domain::NvLink& link : topology_.nvlinks) {
            const std::uint32_t a = gpu_at[link.a];
            const std::uint32_t b = gpu_at[link.b];
            if (a != no_box && b != no_box) {
                direct_.push_back(&link);
                brackets_.push_back({.a = place_[a], .b = place_[b]});
            } else if (a != no_box || b != no_box) {
                to_switches_[std::min(a, b)] += link.bandwidth;
                is_assumed_ = is_assumed_ || link.is_assumed;
            }
        }
    }

    bool has_switches() const {
        return std::any_of(to_switches_.begin(), to_switches_.end(),
                           [](Bandwidth bandwidth) { return bandwidth > Bandwidth(0); });
    }

    double depth_of(const Bracket& one) const {
        constexpr double first = 14;
        const double inner = inner_line_gap * static_cast<double>(inner_lines_);
        return top_ + first +
               (one.is_outer
                    ? inner + 4 + ring_line_gap * static_cast<double>(one.line - inner_lines_)
                    : inner_line_gap * static_cast<double>(one.line));
    }

    double draw_switches(double y) {
        constexpr double height = 30;
        const auto count =
            std::count_if(topology_.objects.begin(), topology_.objects.end(),
                          [](const auto& object) { return object.kind == ObjectKind::nvswitch; });
        const std::string text = counted(count, "NVSwitch", "es");
        for (std::size_t i = 0; i < to_switches_.size(); ++i) {
            if (to_switches_[i] > Bandwidth(0)) {
                const std::string speed =
                    fmt::format("NVLink to the NVSwitches, {}{}", rounded_speed(to_switches_[i]),
                                is_assumed_ ? " (assumed)" : "");
                canvas_.open_group("nvlink", fmt::format("GPU {}: {}", i, speed));
                canvas_.add_path(vertical_path(middles_[place_[i]], top_, y),
                                 line_of(to_switches_[i]));
                canvas_.close_group();
                legend_.add({LegendKind::link, to_switches_[i], speed});
            }
        }
        const Area area{middles_.front() - width_ / 2, y,
                        middles_.back() - middles_.front() + width_, height};
        canvas_.open_group("nvswitch", text);
        canvas_.add_box(area, {"#efe9f8", "#7434c4", 5});
        canvas_.add_text(area.x + area.width / 2, y + 20, text, area.width,
                         {.size = 12, .is_bold = true, .anchor = "middle"});
        canvas_.close_group();
        return y + height;
    }

    void draw_nvlinks() {
        for (std::size_t i = 0; i < direct_.size(); ++i) {
            const domain::NvLink& link = *direct_[i];
            const Bracket& one = brackets_[i];
            const std::string text =
                fmt::format("{}, {}{}", nvlink_name(topology_), rounded_speed(link.bandwidth),
                            link.is_assumed ? " (assumed)" : "");
            canvas_.open_group("nvlink", text);
            canvas_.add_path(bracket_path(one.left, one.right, top_, depth_of(one)),
                             line_of(link.bandwidth));
            canvas_.close_group();
            legend_.add({LegendKind::link, link.bandwidth, text});
        }
    }

    const Bracket& ring_bracket(std::size_t link) const { return brackets_[direct_.size() + link]; }

    // The slowest lie above the others where they cross.
    void draw_ring() {
        for (const bool slowest : {false, true}) {
            for (std::size_t i = 0; i < ring_.links.size(); ++i) {
                if (is_slowest(ring_, ring_.links[i].bandwidth) == slowest) {
                    draw_link(i);
                }
            }
        }
        for (std::size_t i = 0; i < ring_.links.size() && !is_even(ring_); ++i) {
            draw_label(i);
        }
    }

    void draw_link(std::size_t i) {
        const plan::RingLink& link = ring_.links[i];
        const bool slowest = is_slowest(ring_, link.bandwidth);
        const Bracket& one = ring_bracket(i);
        canvas_.open_group(
            slowest ? "ring slowest" : "ring",
            fmt::format("{} {}, {}", link_name(ring_, link), way_of(topology_, link.kind),
                        rounded_speed(link.bandwidth)));
        draw_ring_link(canvas_, bracket_path(one.left, one.right, top_, depth_of(one)),
                       link.bandwidth, slowest);
        canvas_.close_group();
        const std::string speed = rounded_speed(link.bandwidth);
        legend_.add({slowest ? LegendKind::slowest : LegendKind::ring, link.bandwidth,
                     slowest ? "slowest of the ring, " + speed : "ring, " + speed});
    }

    // The speed, on the line and, where there is room, beside what crosses it.
    void draw_label(std::size_t i) {
        const plan::RingLink& link = ring_.links[i];
        const std::string text = rounded_speed(link.bandwidth);
        const double width = width_of(characters_of(text), label_size) + 6;
        const Bracket& one = ring_bracket(i);
        const double x = label_place(one, width);
        const double y = depth_of(one);
        canvas_.add_box({x - width / 2, y - label_height / 2, width, label_height},
                        {is_slowest(ring_, link.bandwidth) ? "#fff3c4" : "#ffffff", "#1c2430", 4});
        canvas_.add_text(x, y + 3.5, text, width, {.size = label_size, .anchor = "middle"});
    }

    double label_place(const Bracket& one, double width) const {
        const double middle = (one.left + one.right) / 2;
        constexpr double farthest = 400;
        const double reach = std::min((one.right - one.left - width) / 2 - 8, farthest);
        for (double away = 0; away <= std::max(reach, 0.0); away += 4) {
            for (const double x : {middle - away, middle + away}) {
                if (!is_crossed(one, x - width / 2 - 6, x + width / 2 + 6)) {
                    return x;
                }
            }
        }
        return middle;
    }

    // By something that comes from above and goes deeper.
    bool is_crossed(const Bracket& one, double left, double right) const {
        const auto is_in = [&](double x) { return left < x && x < right; };
        const bool by_ring =
            std::any_of(brackets_.begin(), brackets_.end(), [&](const Bracket& other) {
                return depth_of(other) > depth_of(one) && (is_in(other.left) || is_in(other.right));
            });
        return by_ring || (has_switches() && std::any_of(middles_.begin(), middles_.end(), is_in));
    }

    SvgCanvas& canvas_;
    Legend& legend_;
    const Topology& topology_;
    const plan::RingFigures& ring_;
    double top_;
    double width_ = 0;                    // of a GPU's box
    std::vector<double> middles_;         // of the GPUs, from left to right
    std::vector<std::uint32_t> place_;    // by GPU: where it stands among them
    std::vector<Bandwidth> to_switches_;  // by GPU
    bool is_assumed_ = false;             // these
    std::vector<const domain::NvLink*> direct_;
    std::vector<Bracket> brackets_;  // those of direct_, then those of the ring
    std::size_t inner_lines_ = 0;
};

}  // namespace

double draw_below_gpus(SvgCanvas& canvas, Legend& legend, const Topology& topology,
                       const MachineBoxes& boxes, const plan::RingFigures& ring) {
    return topology.gpus.empty() ? boxes.bottom
                                 : Band(canvas, legend, topology, boxes, ring).draw();
}

std::string ring_caption(const plan::RingFigures& ring) {
    if (ring.links.empty()) {
        return ring.stops.empty() ? "no GPU, and no ring" : "one GPU needs no ring";
    }
    const std::string order = "ring " + order_text(ring);
    if (is_even(ring)) {
        return fmt::format("{}, {} {}", order, ring.links.size() == 1 ? "its link" : "each link",
                           rounded_speed(ring.bottleneck));
    }
    if (!(ring.bottleneck > Bandwidth(0))) {
        return order + ", slowest link not known";
    }
    std::vector<std::string> slowest;
    for (const plan::RingLink& link : ring.links) {
        if (is_slowest(ring, link.bandwidth)) {
            slowest.push_back(link_name(ring, link));
        }
    }
    constexpr std::size_t most = 3;
    const std::string speed = rounded_speed(ring.bottleneck);
    if (slowest.size() > most) {
        return fmt::format("{}, slowest {} of {} links {}", order, slowest.size(),
                           ring.links.size(), speed);
    }
    return fmt::format("{}, slowest link{} {} {}", order, plural(slowest.size()),
                       fmt::join(slowest, ", "), speed);
}

}  // namespace hora::report
