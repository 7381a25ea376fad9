// `hora topology --gres-conf` and `--slurm-node`: which lines of Slurm's files describe a machine?
#pragma once

#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"
#include "scripts/hora/machine/topology_output.hpp"

namespace hora::scripts {

// Both say on standard error what the lines need, and what was assumed.
// On failure: a machine of which such lines cannot be written, or a name that Slurm cannot read.
Expected<std::string> print_gres_conf(const domain::Topology& topology,
                                      const TopologyRequest& request);
Expected<std::string> print_slurm_node(const domain::Topology& topology,
                                       const TopologyRequest& request);

}  // namespace hora::scripts
