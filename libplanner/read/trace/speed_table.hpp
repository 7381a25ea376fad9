// How fast is each application on each number of GPUs, by a table of measured step times?
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/job_trace.hpp"

namespace hora::read {

// By type of GPU (empty: nodes are alike), application and batch; one epoch is the whole training.
using SpeedTable = std::map<std::tuple<std::string, std::string, std::uint64_t>, domain::TrueSpeed>;

// Columns, in any order, others being passed over: app (or application), batch_size, gpus,
// iter_time_s, total_iters, nodes if there are rows of one size on several numbers of nodes, and
// gradient_bytes if it is known how much each step exchanges (as the first row of a batch says).
// A size that has no row lies between its neighbours on a line of their logarithms.
// `gpu_types`: those of the cluster's nodes. A row whose gpu_type names one holds on that type
// alone, an empty one on all of them, and those of other types are passed over.
// A failure names the line.
Expected<SpeedTable> read_speed_table(std::string_view text,
                                      std::span<const std::string> gpu_types = {});

}  // namespace hora::read
