// Of what boxes is the picture of a machine made, and where do they stand?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/domain/topology.hpp"

namespace hora::report {

constexpr std::uint32_t no_box = 0xffffffff;

// In pixels.
struct MachineBox {
    domain::ObjectKind kind = domain::ObjectKind::machine;
    std::uint32_t object = 0;             // index into Topology::objects
    std::vector<std::uint32_t> numbers;   // of a GPU its own; of NICs all that share the box
    std::vector<std::uint32_t> children;  // boxes, from left to right
    std::uint32_t parent = no_box;
    domain::PcieLink uplink;  // the slowest on the way to the parent
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    double middle() const { return x + width / 2; }
    double bottom() const { return y + height; }
};

struct MachineBoxes {
    std::vector<MachineBox> boxes;  // children before their parents
    std::vector<std::uint32_t> roots;
    double width = 0;
    double bottom = 0;  // GPUs and NICs stand in one row, and end here
};

// Sockets with their NUMA nodes at the top, then host bridges, then switches, then GPUs and NICs.
// Left out is what has one thing below it, as people draw such trees, and NVSwitches, which hang on
// PCIe only to be managed. NICs on one bridge with links of one speed share a box. A thing stands
// above all that hangs below it, so that no link crosses another.
MachineBoxes boxes_of(const domain::Topology& topology);

// Then the box of a GPU has to name its type.
bool has_several_gpu_types(const domain::Topology& topology);

}  // namespace hora::report
