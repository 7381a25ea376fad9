// Where do the boxes in the picture of a machine stand, and how large are they?
#pragma once

#include "libplanner/report/svg/machine_boxes.hpp"

namespace hora::report {

// Machine, socket or NUMA node: what processors are in, and not what hangs on PCIe.
bool is_container(domain::ObjectKind kind);

// Children side by side below their parent, the things of one kind in rows.
void place_boxes(MachineBoxes& all, double gpu_width);

}  // namespace hora::report
