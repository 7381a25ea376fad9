// slurmctld's allocator, faked at the narrow edge where the plugin meets it: each block is marked,
// so that memory of any other origin is found.
#pragma once

#include <cstddef>

namespace hora::submit {

// Blocks that were given out and not freed.
std::size_t living_blocks();

// A copy in the daemon's memory.
char* daemon_string(const char* text);

}  // namespace hora::submit
