// Do the kernels of this GPU compute what the CPU does?
#pragma once

#include "libplanner/base/error.hpp"

namespace hora::trainer {

// Prints a line a kernel. Fails where one differs, and names it.
Expected<void> check_kernels(bool prints);

}  // namespace hora::trainer
