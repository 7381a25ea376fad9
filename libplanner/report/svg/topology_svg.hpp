// The picture of a machine: its GPU topology, and how a ring passes its GPUs.
#pragma once

#include <string>

#include "libplanner/domain/topology.hpp"
#include "libplanner/plan/ring/predicted_ring.hpp"

namespace hora::report {

// A document of SVG 1.1 that refers to nothing outside itself and brings its own background. The
// ring is one over GPUs of this machine; it may have no stop. Classes of its elements: "gpu",
// "nic", "switch", "link", "nvlink", "ring" (one for each link of the ring), "slowest", "legend".
std::string to_svg(const domain::Topology& topology, const plan::RingFigures& ring);

}  // namespace hora::report
