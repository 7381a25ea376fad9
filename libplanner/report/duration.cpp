// How is a length of time written for people? In the unit that fits: "412 ms", "3.4 h".
#include "libplanner/report/duration.hpp"

#include <fmt/format.h>

namespace hora::report {

std::string duration(Seconds time) {
    const double seconds = time.count();
    if (seconds == 0) {
        return "0 s";
    }
    if (seconds < 1) {
        return fmt::format("{:.3g} ms", seconds * 1e3);
    }
    if (seconds < 120) {
        return fmt::format("{:.3g} s", seconds);
    }
    if (seconds < 7200) {
        return fmt::format("{:.0f} min", seconds / 60);
    }
    return seconds < 172800 ? fmt::format("{:.1f} h", seconds / 3600)
                            : fmt::format("{:.1f} days", seconds / 86400);
}

}  // namespace hora::report
