// How long does a step wait for late ranks?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/base/units.hpp"
#include "libplanner/trace/timeline.hpp"

namespace hora::trace {

// Fewer say nothing of the next ones.
constexpr std::size_t fewest_intervals = 8;

// The median over the steps, as the measured time of a step is one: so much of that is waiting, and
// it is never longer. Of a step the late ranks (lateness.hpp) of one communicator are summed up:
// its collectives are behind each other. Those of several communicators may not be, so that the one
// with the most lateness counts. A collective in which a rank went ahead was not waited for. What
// is late before the first step is the start of the program, and left out. Empty with fewer
// intervals between two recorded steps than that, where the record of a rank is missing, and where
// no collective shows who is late. O(n log n) in the marks and steps.
std::optional<Seconds> waiting_of_step(const Timeline& timeline);

}  // namespace hora::trace
