// How is a length of time written for people? "412 ms", "23 s", "12 h 3 min".
#include "libplanner/report/duration.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hora::report {

namespace {

std::string in_two_units(double small, long long ratio, const char* large_unit,
                         const char* small_unit) {
    const long long count = std::llround(small);
    if (count % ratio == 0) {
        return fmt::format("{} {}", count / ratio, large_unit);
    }
    return fmt::format("{} {} {} {}", count / ratio, large_unit, count % ratio, small_unit);
}

}  // namespace

std::string duration(Seconds time) {
    const double seconds = time.count();
    if (seconds == 0) {
        return "0 s";
    }
    if (seconds < 0) {
        return "-" + duration(Seconds(-seconds));
    }
    // Three digits hold no 1000, and 60 of a unit are one of the next.
    if (seconds * 1e6 < 999.5) {
        return fmt::format("{:.3g} us", seconds * 1e6);
    }
    if (seconds * 1e3 < 999.5) {
        return fmt::format("{:.3g} ms", seconds * 1e3);
    }
    if (seconds < 59.95) {
        return fmt::format("{:.3g} s", seconds);
    }
    if (seconds < 3599.5) {
        return in_two_units(seconds, 60, "min", "s");
    }
    if (seconds < 86370) {
        return in_two_units(seconds / 60, 60, "h", "min");
    }
    return seconds < 86400e4 ? in_two_units(seconds / 3600, 24, "d", "h")
                             : fmt::format("{:.0f} d", seconds / 86400);
}

}  // namespace hora::report
