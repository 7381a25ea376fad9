// Where do the boxes in the picture of a machine stand, and how large are they?
#include "libplanner/report/svg/machine_layout.hpp"

#include <algorithm>
#include <cstddef>

namespace hora::report {
namespace {

using domain::ObjectKind;

constexpr double nic_width = 88;
constexpr double device_height = 58;
constexpr double container_width = 150;
constexpr double row_gap = 34;

double height_of(ObjectKind kind) {
    return is_gpu_or_nic(kind) ? device_height : kind == ObjectKind::host_bridge ? 24 : 42;
}

// Between two neighbours below one thing.
double gap_between(const MachineBox& left, const MachineBox& right) {
    const auto space = [](const MachineBox& box) {
        return is_container(box.kind) ? 36.0 : is_gpu_or_nic(box.kind) ? 12.0 : 24.0;
    };
    return std::max(space(left), space(right));
}

double row_width(const std::vector<MachineBox>& boxes, const std::vector<std::uint32_t>& row) {
    double width = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        width += boxes[row[i]].width;
        width += i > 0 ? gap_between(boxes[row[i - 1]], boxes[row[i]]) : 0;
    }
    return width;
}

void place_row(std::vector<MachineBox>& boxes, const std::vector<std::uint32_t>& row, double x) {
    for (std::size_t i = 0; i < row.size(); ++i) {
        x += i > 0 ? gap_between(boxes[row[i - 1]], boxes[row[i]]) : 0;
        boxes[row[i]].x = x;
        x += boxes[row[i]].width;
    }
}

void place_across(MachineBoxes& all, double gpu_width) {
    for (MachineBox& box : all.boxes) {
        box.height = height_of(box.kind);
        const double least = is_container(box.kind)        ? container_width
                             : box.kind == ObjectKind::gpu ? gpu_width
                                                           : nic_width;
        box.width = std::max(least, row_width(all.boxes, box.children));
    }
    all.width = row_width(all.boxes, all.roots);
    place_row(all.boxes, all.roots, 0);
    for (std::size_t i = all.boxes.size(); i-- > 0;) {
        const MachineBox& box = all.boxes[i];
        const double slack = box.width - row_width(all.boxes, box.children);
        place_row(all.boxes, box.children, box.x + slack / 2);
    }
}

// The row of each box: how many containers, host bridges and switches can stand above it.
std::vector<std::size_t> rows_of(const std::vector<MachineBox>& boxes) {
    std::vector<std::size_t> containers(boxes.size(), 0);
    std::vector<std::size_t> switches(boxes.size(), 0);
    std::size_t most_containers = 0;
    std::size_t most_switches = 0;
    for (std::size_t i = boxes.size(); i-- > 0;) {
        const std::uint32_t parent = boxes[i].parent;
        containers[i] = (parent == no_box ? 0 : containers[parent]) + is_container(boxes[i].kind);
        switches[i] = (parent == no_box ? 0 : switches[parent]) +
                      (boxes[i].kind == ObjectKind::bridge ? 1 : 0);
        most_containers = std::max(most_containers, containers[i]);
        most_switches = std::max(most_switches, switches[i]);
    }
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const ObjectKind kind = boxes[i].kind;
        rows.push_back(is_container(kind)                ? containers[i] - 1
                       : kind == ObjectKind::host_bridge ? most_containers
                       : kind == ObjectKind::bridge      ? most_containers + switches[i]
                                                         : most_containers + most_switches + 1);
    }
    return rows;
}

void place_down(MachineBoxes& all) {
    const std::vector<std::size_t> rows = rows_of(all.boxes);
    const std::size_t count = rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end()) + 1;
    std::vector<double> heights(count, 0);
    std::vector<bool> holds_containers(count, false);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        heights[rows[i]] = std::max(heights[rows[i]], all.boxes[i].height);
        holds_containers[rows[i]] = is_container(all.boxes[i].kind);
    }
    std::vector<double> tops(count, 0);
    double y = 0;
    for (std::size_t row = 0; row < count; ++row) {
        tops[row] = y;
        all.bottom = y + heights[row];
        const bool is_inner = row + 1 < count && holds_containers[row + 1];
        y += heights[row] == 0 ? 0 : heights[row] + (is_inner ? 6 : row_gap);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        all.boxes[i].y = tops[rows[i]];
    }
}

}  // namespace

bool is_container(ObjectKind kind) {
    return kind == ObjectKind::machine || kind == ObjectKind::socket ||
           kind == ObjectKind::numa_node;
}

void place_boxes(MachineBoxes& all, double gpu_width) {
    place_across(all, gpu_width);
    place_down(all);
}

}  // namespace hora::report
