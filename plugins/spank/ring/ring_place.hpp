// How is the ring set up for one task: which GPU comes first, which CPUs, which variables?
#pragma once

#include <string>
#include <vector>

#include "plugins/spank/job/compute_settings.hpp"
#include "plugins/spank/job/job_record.hpp"
#include "plugins/spank/job/step_layout.hpp"
#include "plugins/spank/job/task_facts.hpp"

namespace hora::spank {

// srun's word that nobody asked for a binding of CPUs: then Hora may choose one.
constexpr std::string_view binding_variable = "SLURM_SPANK_HORA_BIND";

// What Hora's part in srun has to say to the tasks.
struct WordOfSrun {
    std::string ranks;  // the step's nodes in the order of their ranks; empty: not known
    bool may_bind = false;
    std::vector<NodeGpus> gpus{};  // the types of the job's; empty: not known, or not needed
};

// Orders CUDA_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES, chooses the task's CPUs, and says in
// HORA_RING and in remarks what came of it. `layout` is null in a script or a launcher.
void place_ring(Prepared& prepared, JobRecord& record, const StepLayout* layout,
                const WordOfSrun& word, const TaskFacts& facts, const ComputeSettings& settings);

// "nodes=n1,n3,n2;gpus=0,2,1,3;bottleneck=1.25e+09", without what is not known.
std::string ring_text(const std::vector<std::string>& nodes, const std::vector<std::uint32_t>& gpus,
                      Bandwidth bottleneck);

}  // namespace hora::spank
