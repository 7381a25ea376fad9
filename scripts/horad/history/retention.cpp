// Which rows of the history are old enough to be forgotten, though the clock may be wrong?
#include "scripts/horad/history/retention.hpp"

#include <algorithm>
#include <cmath>

namespace hora::horad {

std::int64_t Retention::oldest(std::int64_t now, Seconds keep, std::optional<std::int64_t> first,
                               Seconds steady) {
    constexpr double at_once = 0.1;  // of what is kept
    constexpr double pace = 10;
    const double leap = at_once * keep.count();
    const double wanted = static_cast<double>(now) - keep.count();
    if (!reached_ && !first) {
        return static_cast<std::int64_t>(std::floor(wanted));  // of nothing
    }
    if (!reached_) {
        reached_ = static_cast<double>(*first) + leap;
    } else {
        *reached_ += pace * std::max((steady - looked_).count(), 0.0);
        // A long time of which there is nothing, behind a row by a wrong clock, is not waited out.
        *reached_ = std::max(*reached_, static_cast<double>(first.value_or(0)) - leap);
    }
    looked_ = steady;
    reached_ = std::min(*reached_, wanted);
    return static_cast<std::int64_t>(std::floor(*reached_));
}

}  // namespace hora::horad
