// Which rows of a chart with one row a GPU does each job take, and from when to when?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/sim/result.hpp"

namespace hora::report {

// `count` rows from `first` on.
struct GpuBar {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    Seconds start;
    Seconds end;
    std::uint32_t job = 0;  // into Result::jobs
};

// By start. A job that is resized keeps what rows it can, and lies together where there is room.
// Which GPUs these are is the chart's choice: a result says only how many, and of which type; the
// first type has the first rows. Where the jobs together hold more than there are, rows beyond the
// last GPU are taken; precondition: of types they never do.
std::vector<GpuBar> gpu_bars(const sim::Result& result);

}  // namespace hora::report
