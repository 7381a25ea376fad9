// What of its time limit is left to a job that starts again?
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "libplanner/base/units.hpp"

namespace hora::slurm {

// A start has to read its checkpoint and to write another; less than this would be lost.
constexpr Seconds least_limit{120};

// Of a limit of which one start has run `ran`, in Slurm's whole minutes, rounded up. Empty where
// that is no less than the limit.
inline std::optional<Seconds> rest_of_limit(Seconds limit, Seconds ran) {
    constexpr double minute = 60;
    const Seconds left = limit - std::max(ran, Seconds(0));
    const Seconds rounded(std::ceil(left.count() / minute) * minute);
    const Seconds rest = std::max(rounded, least_limit);
    return rest < limit ? std::optional(rest) : std::nullopt;
}

}  // namespace hora::slurm
