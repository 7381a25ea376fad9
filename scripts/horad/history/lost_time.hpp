// How long did a job not train: before its first step, and between two of its starts?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/base/units.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

// Steps that the present start has done; those before its first report only where it is known from
// which step it went on.
std::uint64_t steps_of_start(const JobReports& reports);

// From the start, at `started` (seconds since the epoch), to the first step, by the first report.
// Empty: no step was timed yet, or nobody knows how many steps came before that report.
std::optional<Seconds> start_up_time(const JobReports& reports, double started);

// Of the time between the last report before a restart and the first one after it, what was spent
// on no step: checkpoint, requeue, start-up. Steps that had to be done again count as lost. Empty
// where one of both was not heard of or has timed no step.
std::optional<Seconds> time_lost_by_restart(const JobReports& reports);

}  // namespace hora::horad
