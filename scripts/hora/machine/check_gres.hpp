// `hora topology --check-gres`: do a machine and its lines in gres.conf say the same?
#pragma once

#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"
#include "scripts/hora/machine/topology_output.hpp"

namespace hora::scripts {

// request.value names the gres.conf, request.node the node; else it is the machine's own name.
// On failure: they differ, and standard output says where; or the file or the node is wrong.
Expected<std::string> check_gres(const domain::Topology& topology, const TopologyRequest& request);

}  // namespace hora::scripts
