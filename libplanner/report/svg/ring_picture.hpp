// What stands below the GPUs in the picture of a machine: their NVLinks, the ring, the NVSwitches.
#pragma once

#include <string>

#include "libplanner/domain/topology.hpp"
#include "libplanner/plan/ring/predicted_ring.hpp"
#include "libplanner/report/svg/legend.hpp"
#include "libplanner/report/svg/machine_boxes.hpp"
#include "libplanner/report/svg/svg_canvas.hpp"

namespace hora::report {

// The ring's GPUs are those of the machine. Returns where it ends.
double draw_below_gpus(SvgCanvas& canvas, Legend& legend, const domain::Topology& topology,
                       const MachineBoxes& boxes, const plan::RingFigures& ring);

// "ring 0-1-2-3, slowest link GPU1–GPU2 10 GB/s"
std::string ring_caption(const plan::RingFigures& ring);

}  // namespace hora::report
