// What does slurmctld say of the switches? Needs nothing but slurm_*, so plugins may ask too.
#pragma once

#include <string>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// As `scontrol show topology` prints it, one switch or block a line; empty where there is none.
// Fails where slurmctld does not answer.
Expected<std::string> load_topology_text();

}  // namespace hora::slurm
