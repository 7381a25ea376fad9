// When does each job run that keeps to its own request?
#include "libplanner/elastic/policies/rigid_schedule.hpp"

#include <algorithm>

namespace hora::elastic {

Seconds RigidSchedule::earliest(std::uint32_t gpus, Seconds length, Seconds from) const {
    Seconds start = from;
    std::int64_t used = 0;
    for (const auto& [time, change] : changes_) {
        if (used + gpus > gpus_) {
            start = std::max(start, time);
        } else if (time >= start + length) {
            break;
        }
        used += change;
    }
    return start;
}

Seconds RigidSchedule::submit(std::uint32_t gpus, Seconds length, Seconds from) {
    const Seconds start = earliest(gpus, length, from);
    changes_[start] += gpus;
    changes_[start + length] -= gpus;
    return start;
}

}  // namespace hora::elastic
