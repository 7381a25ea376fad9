// Which jobs does a trace file submit?
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/job_trace.hpp"
#include "libplanner/read/trace/speed_table.hpp"

namespace hora::read {

// Two formats, distinguished by their columns; other columns are passed over.
// time, application, num_replicas, batch_size (and name): elastic jobs whose speeds are in the
// table, which outlives nothing here: what is needed of it is copied.
// submit_s, gpus, duration_s (and vc): rigid jobs; no table. Either may have time_limit_s. Jobs
// come out in order of submission. A failure names the line.
// `any_batch`: elastic jobs train with any batch that the table has of their application; what they
// request is of the batch that the trace names.
// `gpu_types`: those of the cluster's nodes, for which the table was read. Each job's gpu_type
// names what it requests; one of another type has no true speed: the cluster cannot hold it.
Expected<domain::JobTrace> read_job_trace(std::string_view text, const SpeedTable& speeds,
                                          bool any_batch = false,
                                          std::span<const std::string> gpu_types = {});

}  // namespace hora::read
