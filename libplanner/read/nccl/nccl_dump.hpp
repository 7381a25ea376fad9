// Which machine did NCCL see, by the file that NCCL_TOPO_DUMP_FILE names?
#pragma once

#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::read {

// NUMA nodes, PCIe switches, GPUs with their NVLinks and NICs, with paths found. NCCL knows neither
// sockets nor host bridges: GPUs of one NUMA node that no switch joins meet at the node. At most
// 256 GPUs and 1,024 devices. On failure: the line and what is wrong there; a text that is no such
// file is a usage error.
Expected<domain::Topology> read_nccl_dump(std::string_view xml);

}  // namespace hora::read
