// What is the GPU topology of a machine, by its hwloc or NCCL XML or by what hwloc sees here?
#pragma once

#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/topology.hpp"
#include "libplanner/read/cluster/cluster_builder.hpp"

namespace hora::read {

constexpr std::size_t max_topology_size = std::size_t{16} << 20;

// An hwloc XML file, what `hora topology --json` wrote, or a file of NCCL's (NCCL_TOPO_FILE,
// NCCL_TOPO_DUMP_FILE), which has nothing of cores. Bandwidths in FILE.measured.json override
// modelled ones. A machine without a GPU is no error. On failure: the file, what is wrong
// with it and what to do.
Expected<domain::Topology> read_topology(const std::string& path);

// The text of such a file, without measurements. Errors follow the name of the file: "is empty".
Expected<domain::Topology> read_topology_xml(const std::string& xml);

// This machine. PCIe links have the fastest rate and width that both their ends can, by the files
// of the kernel under `sysfs`, and not what an idle GPU lets them fall to.
Expected<domain::Topology> read_local_topology(const std::string& sysfs = "/sys");

// The GPUs in the order of their bus ids (as CUDA counts with CUDA_DEVICE_ORDER=PCI_BUS_ID, and
// Slurm by gres.conf), as layout_of() groups them.
// On failure: the file and what is wrong with it, or that it has no GPU.
Expected<NodeLayout> read_topology_layout(const std::string& path, const domain::Device& device);

}  // namespace hora::read
