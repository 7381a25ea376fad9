// What is done when the batch script has ended by itself?
#pragma once

#include "scripts/watch-job/options.hpp"

namespace hora::watch {

// Removes the folder that Hora has named for the job where its script has ended with status 0 and
// slurmctld says that this start of the job is its last; of any other it stays. Folders of earlier
// jobs go whose time is over (--keep). Slurm is asked first: where it does not say, nothing goes.
int clear_up(const Options& options);

// Likewise one into which nothing was written, however the script has ended.
void clear_unused(const Options& options);

}  // namespace hora::watch
