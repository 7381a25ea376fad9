// How fast is each task of a step, by the GPUs it has?
#pragma once

#include <vector>

#include "libplanner/read/trace/speeds.hpp"
#include "plugins/spank/job/job_record.hpp"
#include "plugins/spank/job/step_layout.hpp"

namespace hora::spank {

// By place in the step (StepLayout::place). The tasks of a node divide its GPUs in order; where
// there are more tasks than GPUs, several share one. Empty where a node or a type is not known: a
// guess would slow everybody down.
std::vector<double> task_speeds(const StepLayout& layout, const std::vector<NodeGpus>& gpus,
                                const std::vector<read::TypeSpeed>& speeds);

}  // namespace hora::spank
