// How much work is a job, by what its owner said on submission?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/domain/job_options.hpp"
#include "plugins/slurm/report/report_message.hpp"

namespace hora::horad {

// Steps in all; empty where that was not said.
std::optional<std::uint64_t> stated_steps(const domain::JobOptions& options);

// Of these it has done so many. Where its batch may change, they are steps with the smallest, and
// its samples are counted so.
double steps_done(const domain::JobOptions& options, const slurm::Report& progress);

}  // namespace hora::horad
