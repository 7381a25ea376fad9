// What does Hora do in an srun of its jobs? Lays the ranks over the fabric, and lets CPUs be
// chosen.
//
// What the order is worth: over 2,000 random states each of fabrics whose leaf switches have half
// of their nodes' bandwidth upwards, all of it in use, on nodes as topology/tree chooses them, the
// ring has of a node's bandwidth
//
//     nodes in the ring                               8           16           32
//     16 leaves of 16, names in any order   0.89 > 0.94  0.69 > 0.95  0.55 > 0.91
//     a superpod's published topology.conf  0.93 > 0.93  0.86 > 0.91  0.73 > 0.94
//
// by Slurm's order > by this one. It is worth nothing on up to 4 nodes, where names run along the
// leaves, and where leaves have all of the bandwidth upwards. From 23.02 on Slurm itself does as
// well with TopologyParam=SwitchAsNodeRank.
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
// SLURM_SPANK_HORA_GPUS the types of the job's GPUs. `has_own_options`: srun was given one of
// Hora's, and not its program.
void tell_layout(std::uint32_t job, std::uint32_t step, bool has_own_options);

}  // namespace hora::spank
