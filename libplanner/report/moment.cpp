// How is a point in time written for people? "2026-11-21 16:40:05 UTC".
#include "libplanner/report/moment.hpp"

#include <fmt/chrono.h>

namespace hora::report {
namespace {

// Years of four digits.
constexpr std::int64_t first = -62167219200;
constexpr std::int64_t last = 253402300799;

}  // namespace

std::string moment(std::int64_t seconds) {
    if (seconds < first) {
        return fmt::format("{} s before 1970", 0 - static_cast<std::uint64_t>(seconds));
    }
    if (seconds > last) {
        return fmt::format("{} s after 1970", seconds);
    }
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

}  // namespace hora::report
