// How much may a process take in which a user's file is read?
#include "libplanner/read/reading_limits.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace hora::read {
namespace {

void lower(decltype(RLIMIT_CPU) resource, rlim_t most) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0) {
        limit.rlim_cur = std::min(limit.rlim_cur, most);
        limit.rlim_max = limit.rlim_cur;
        static_cast<void>(setrlimit(resource, &limit));
    }
}

// The libraries alone map much, and AddressSanitizer terabytes. 0 where the kernel does not say.
rlim_t present_memory() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void limit_reading(rlim_t most_seconds) {
    lower(RLIMIT_CPU, most_seconds);
    lower(RLIMIT_AS, present_memory() + most_memory);
    lower(RLIMIT_CORE, 0);
}

}  // namespace hora::read
