// Which groups do the GPUs of a machine form, so that each group is as fast as its slowest pair?
#pragma once

#include "libplanner/domain/device.hpp"
#include "libplanner/domain/topology.hpp"
#include "libplanner/read/cluster/gpu_layout.hpp"

namespace hora::read {

// The GPUs in their order in the topology, grouped by PCIe switch, NUMA node and socket; links have
// the bandwidth of the worst set in the group (model/set_bandwidth.hpp), which is the slowest path
// between two of its GPUs where they form a tree. Up to 8 GPUs of which some sets exchange more
// have a mesh besides. Where the topology does not know a link, it is the device's; a device with
// NVLink in a topology that knows of none is taken as connected all to all. A topology without a
// GPU gives one empty group.
NodeLayout layout_of(const domain::Topology& topology, const domain::Device& device);

}  // namespace hora::read
