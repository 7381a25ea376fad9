// How does a link look in a picture: its colour and width by its speed, and what the legend says?
#pragma once

#include <string>
#include <string_view>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::report {

// From dark red over orange and blue to purple, which people who see fewer colours tell apart by
// their lightness; the faster, the wider. Each generation of PCIe has a step of its own.
struct LinkLook {
    std::string_view colour;
    double width = 0;  // pixels
};

LinkLook look_of(Bandwidth bandwidth);

// "PCIe 3.0 ×16, 15.8 GB/s"
std::string pcie_text(const domain::PcieLink& link);
// "15.8 GB/s", "speed not known"
std::string rounded_speed(Bandwidth bandwidth);

}  // namespace hora::report
