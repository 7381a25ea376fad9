// How does a name come about that nobody can guess and that no other has?
#pragma once

#include <cstddef>
#include <string>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// So many hexadecimal digits, 32 at most, by the kernel. Fails where it has no random numbers yet.
Expected<std::string> random_key(std::size_t digits);

}  // namespace hora::slurm
