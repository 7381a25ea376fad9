// Which file describes to NCCL how a machine is built, where it cannot find that out itself?
#pragma once

#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::report {

// For NCCL_TOPO_FILE, by every rule that read/nccl_xml checks: processors, PCIe switches by their
// upstream ports, GPUs and NICs.
// On failure: there is no GPU, or more is there than NCCL can hold.
Expected<std::string> nccl_xml(const domain::Topology& topology);

// What the file states though no input said so: a sentence each.
std::vector<std::string> nccl_xml_remarks(const domain::Topology& topology);

}  // namespace hora::report
