// Between which times does a step lie, by what the prediction rests on?
#pragma once

#include <optional>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/measured.hpp"

namespace hora::cost {

// Factors of the predicted step time: one run in ten is shorter than `low` says, one in ten longer
// than `high`.
struct Interval {
    double low = 1;
    double high = 1;
};

// From pairs of published throughputs on one GPU: networks and GPU types that the efficiencies of
// devices.toml were not fitted to; the same network and type measured by others; the same by the
// same people at another batch.
constexpr Interval not_measured{0.69, 1.43};
constexpr Interval measured_by_others{0.73, 1.37};
constexpr Interval measured_by_owner{0.79, 1.27};

// Empty: the prediction was corrected by no run.
Interval interval_of(const std::optional<domain::Correction>& correction);

// Of a whole run: its steps vary, its overhead is taken as it is.
Seconds scaled(Seconds whole, Seconds overhead, double factor);

}  // namespace hora::cost
