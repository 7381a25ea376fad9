// How fast did a program really train, by its own reports?
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "libplanner/domain/progress.hpp"

namespace hora::cost {

struct Measured {
    std::uint64_t steps = 0;  // done so far
    std::uint64_t samples = 0;
    Seconds spent;         // the sum of all reports
    Seconds step_seconds;  // mean of the steps between two reports
};

// The first report of each run is left out of the mean, for it holds the start-up. Empty where no
// step lies between two reports.
std::optional<Measured> measured_of(std::span<const domain::ProgressReport> reports);

}  // namespace hora::cost
