// What happens beside a job while its batch script runs?
//
// settings: horad.hosts horad.port
#pragma once

#include "scripts/watch-job/options.hpp"

namespace hora::watch {

// Returns when the script has ended, or its job has been requeued and may begin again. 0 in any
// case that a job can come to; 1 where there is no such script.
int watch(const Options& options);

}  // namespace hora::watch
