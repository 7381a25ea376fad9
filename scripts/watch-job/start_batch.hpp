// Which global batch has horad given this start of a job?
#pragma once

#include <cstdint>

namespace hora::watch {

// Prints the number, or an empty line where it has given none. Returns the exit code: 1, and a line
// on stderr, where slurmctld does not say.
int print_batch(std::uint32_t job);

}  // namespace hora::watch
