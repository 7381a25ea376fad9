// What does Hora do in an srun of its jobs? Lays the ranks over the fabric, and lets CPUs be
// chosen.
#pragma once

#include <cstdint>

#include "plugins/spank/settings_source.hpp"

namespace hora::spank {

// In srun, before it looks at its options. May set SLURM_HOSTFILE and SLURM_DISTRIBUTION in this
// process, the file being one in memory that ends with it, and SLURM_SPANK_HORA_BIND for the tasks.
// `is_step`: within a job; otherwise the nodes are not known yet.
void prepare_srun(const SettingsSource& source, bool is_step);

// In srun, when Slurm has laid out its step: tells the tasks by SLURM_SPANK_HORA_RANKS which nodes
// have the ranks in which order, by SLURM_SPANK_HORA_MASTER the address of the first, and by
// SLURM_SPANK_HORA_GPUS the types of the job's GPUs.
void tell_layout(std::uint32_t job, std::uint32_t step);

}  // namespace hora::spank
