// Which variables differ from step to step, or from task to task?
#pragma once

#include "plugins/spank/job/compute_settings.hpp"
#include "plugins/spank/job/job_record.hpp"
#include "plugins/spank/job/step_layout.hpp"
#include "plugins/spank/job/task_facts.hpp"

namespace hora::spank {

// MASTER_ADDR and MASTER_PORT of a script's first node: what a launcher started by hand there
// needs. A script has no rank: RANK would make a program that it runs by itself wait for others.
Variables batch_variables(const Environment& environment, const TaskFacts& facts,
                          const ComputeSettings& settings);

// MASTER_ADDR, MASTER_PORT, RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, TF_CONFIG, HORA_SHARE,
// and HORA_MODE where no plan gave one. A task that is a launcher starts the ranks itself: in place
// of what tells a rank it gets NNODES, NODE_RANK and NPROC_PER_NODE. What cannot be told is left
// out.
Variables step_variables(const Environment& environment, const StepLayout& layout,
                         const JobRecord& record, const TaskFacts& facts,
                         const ComputeSettings& settings);

}  // namespace hora::spank
