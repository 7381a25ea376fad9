// How are measured bandwidths written down?
#pragma once

#include <span>
#include <string>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::report {

struct MeasuredLink {
    domain::PciAddress a;
    domain::PciAddress b;
    Bandwidth bandwidth;  // one way, of the slower direction
};

// What read::apply_measured_links reads.
std::string to_json(std::span<const MeasuredLink> links);

}  // namespace hora::report
