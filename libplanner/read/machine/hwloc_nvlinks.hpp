// Which GPUs and NVSwitches does hwloc know to be joined by NVLink or XGMI?
#pragma once

#include <hwloc.h>

#include <cstdint>
#include <map>
#include <vector>

#include "libplanner/domain/topology.hpp"

namespace hora::read {

// hwloc's number of a GPU or NVSwitch to the index into Topology::objects.
using DevicePlaces = std::map<std::uint64_t, std::uint32_t>;

std::vector<domain::NvLink> read_nvlinks(hwloc_topology_t topology, const DevicePlaces& places);

}  // namespace hora::read
