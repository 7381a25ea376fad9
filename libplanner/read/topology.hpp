// How do the GPUs of one machine hang together, by its hwloc XML?
#pragma once

#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/read/cluster_builder.hpp"

namespace hora::read {

// The GPUs in the order of their bus ids (as CUDA counts with CUDA_DEVICE_ORDER=PCI_BUS_ID, and
// Slurm by gres.conf), grouped by PCIe switch, NUMA node and package. Links have the rate of the
// slowest PCIe link on the way where the file has it, else the device's; a device with NVLink is
// taken as connected all to all.
// On failure: the file and what is wrong with it, or that it has no GPU.
Expected<NodeLayout> read_topology_layout(const std::string& path, const domain::Device& device);

}  // namespace hora::read
