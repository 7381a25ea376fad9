// How much may a process take in which a user's file is read?
#pragma once

#include <sys/resource.h>

namespace hora::read {

// In bytes, beyond what the process has before it reads: the largest file, and what it becomes.
constexpr rlim_t most_memory = rlim_t{3} << 30;

// Sets that limit on this process from here on, the limit on its processor time in seconds, and
// lets it leave no core. A limit that is lower already stays.
void limit_reading(rlim_t most_seconds);

}  // namespace hora::read
