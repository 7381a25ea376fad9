// How is a point in time written for people? "2026-11-21 16:40:05 UTC".
#include "libplanner/report/moment.hpp"

#include <fmt/chrono.h>

namespace hora::report {

std::string moment(std::int64_t seconds) {
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

}  // namespace hora::report
