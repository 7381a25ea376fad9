// What time is it, by this host's clock, which anybody may set?
#pragma once

#include <cstdint>
#include <ctime>

namespace hora::horad {

// Seconds since the epoch.
inline std::int64_t wall_time() {
    return static_cast<std::int64_t>(std::time(nullptr));
}

}  // namespace hora::horad
