// What only slurmctld can tell of a job's nodes. For srun alone: within a step slurmstepd may die
// of a request, and no time limit holds there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/spank/job/job_record.hpp"

namespace hora::spank {

// What slurm.conf has as a node's address; the name again where slurmctld does not tell.
std::string address_of(const std::string& node);

// The types of a running job's GPUs, for all components of a heterogeneous job; about 1.4 ms. Empty
// where the controller does not tell.
std::vector<NodeGpus> gpus_of(std::uint32_t job);

// One node's part from Slurm's text, "gpu:titanx:2(IDX:0,2)": the types by index.
std::vector<std::string> gpu_types(const char* gres);

// Does the job still have all of these? One that goes on after a node failed has fewer than its
// variables say. False too where the controller does not tell.
bool has_nodes(std::uint32_t job, const std::vector<std::string>& nodes);

// The order in which a ring over the fabric visits these nodes; about 1 ms. Empty where Slurm knows
// no switches, or does not tell.
std::vector<std::string> ring_of(const std::vector<std::string>& nodes);

// The nodes of a step in the order of their lowest ranks, as the step is laid out. Empty where
// slurmctld does not tell.
std::vector<std::string> nodes_by_rank(std::uint32_t job, std::uint32_t step);

}  // namespace hora::spank
