// How fast is each application on each number of GPUs, by a table of measured step times?
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/job_trace.hpp"

namespace hora::read {

// By application and batch; one epoch is the whole training.
using SpeedTable = std::map<std::pair<std::string, std::uint64_t>, domain::TrueSpeed>;

// Columns, in any order, others being passed over: app (or application), batch_size, gpus,
// iter_time_s, total_iters, nodes if there are rows of one size on several numbers of nodes, and
// gradient_bytes if it is known how much each step exchanges (as the first row of a batch says).
// A size that has no row lies between its neighbours on a line of their logarithms.
// A failure names the line.
Expected<SpeedTable> read_speed_table(std::string_view text);

}  // namespace hora::read
