// When do jobs take and give up GPUs?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/sim/result.hpp"

namespace hora::report {

struct GpuChange {
    Seconds when;
    bool takes = false;
    std::uint32_t job = 0;   // into the jobs
    std::uint32_t gpus = 0;  // from now on
};

// By time; what is given up is there for those who take at the same time, and therefore before it.
// The last one of each job leaves it with none. Segments that last no time are passed over.
std::vector<GpuChange> gpu_changes(const std::vector<sim::JobResult>& jobs);

}  // namespace hora::report
