// How do two devices of a machine meet, and how fast can they talk?
#pragma once

#include <cstdint>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::model {

// A PCIe link is this fast one way, net of encoding; 0 for a rate that is none.
Bandwidth pcie_bandwidth(double gigatransfers, std::uint32_t lanes);
// What programs attain over it, by NCCL's figures: 12 GB/s over sixteen lanes of generation 3.
Bandwidth attained(const domain::PcieLink& link);
// The same where only the specified bandwidth is known, of a device's PCIe or NVLink.
Bandwidth attained_over_pcie(Bandwidth specified);
Bandwidth attained_over_nvlink(Bandwidth specified);
// What two sockets of this kind exchange, by NCCL's figures.
Bandwidth between_sockets(const domain::Processor& processor);

// Of two objects that hang on PCIe, NVLink left aside.
domain::PathKind pcie_path_kind(const domain::Topology& topology, std::uint32_t a, std::uint32_t b);

// Fills in topology.paths; those that were measured stay.
void find_paths(domain::Topology& topology);

}  // namespace hora::model
