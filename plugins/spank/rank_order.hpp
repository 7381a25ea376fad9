// What does Hora do in an srun of its jobs? Lays the ranks over the fabric, and lets CPUs be
// chosen.
#pragma once

#include "plugins/spank/settings_source.hpp"

namespace hora::spank {

// In srun, before it looks at its options. May set SLURM_HOSTFILE and SLURM_DISTRIBUTION in this
// process, the file being one in memory that ends with it; what the tasks' side has to know goes
// into SLURM_SPANK_HORA_RANKS and SLURM_SPANK_HORA_BIND. `is_step`: within a job; otherwise the
// nodes are not known yet.
void prepare_srun(const SettingsSource& source, bool is_step);

}  // namespace hora::spank
