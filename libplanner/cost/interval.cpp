// Between which times does a step lie, by what the prediction rests on?
#include "libplanner/cost/interval.hpp"

#include <algorithm>

namespace hora::cost {

Interval interval_of(const std::optional<domain::Correction>& correction) {
    if (!correction) {
        return not_measured;
    }
    return correction->users == 0 ? measured_by_owner : measured_by_others;
}

Seconds scaled(Seconds whole, Seconds overhead, double factor) {
    const Seconds steps = std::max(Seconds(0), whole - overhead);
    return steps * factor + (whole - steps);
}

}  // namespace hora::cost
