// Which length of time is meant by one in Slurm's notation?
#pragma once

#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"

namespace hora::read {

// MINUTES, MINUTES:SECONDS, HOURS:MINUTES:SECONDS, DAYS-HOURS, DAYS-HOURS:MINUTES and
// DAYS-HOURS:MINUTES:SECONDS; at most a year.
Expected<Seconds> parse_slurm_time(std::string_view text);

}  // namespace hora::read
