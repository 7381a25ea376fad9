// What this thread has computed, in seconds: the time of others that run is not in it.
#pragma once

#include <ctime>

namespace hora::submit {

inline double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace hora::submit
