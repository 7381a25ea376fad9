// `hora topology FILE --measure`: what do the links between the GPUs of this machine really carry?
#pragma once

#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"
#include "scripts/hora/machine/topology_output.hpp"

namespace hora::scripts {

// Copies between each two GPUs that CUDA shows, stores the bandwidths beside the topology file and
// returns them as a table. What was measured before of other pairs is kept.
// On failure nothing is stored: no CUDA, GPUs of another machine, fewer than two, no file to write
// beside.
Expected<std::string> measure_links(const domain::Topology& topology,
                                    const TopologyRequest& request);

}  // namespace hora::scripts
