// How is a point in time written for people? "2026-11-21 16:40:05 UTC".
#pragma once

#include <cstdint>
#include <string>

namespace hora::report {

// Of seconds since the epoch.
std::string moment(std::int64_t seconds);

}  // namespace hora::report
