// Gives an srun within a job of Hora's the host file that lays its ring over the fabric.
#pragma once

#include "plugins/spank/settings_source.hpp"

namespace hora::spank {

// In srun, before it looks at its options. Sets SLURM_HOSTFILE and SLURM_DISTRIBUTION in this
// process, the file being one in memory that ends with it, and notes the order in
// SLURM_SPANK_HORA_RANKS; or leaves all as it is.
void order_ranks(const SettingsSource& source);

}  // namespace hora::spank
