// Since when does the acting slurmctld run, and has it stood by before?
#pragma once

#include <cstdint>

namespace hora::slurm {

struct ControllerStart {
    std::int64_t started = 0;  // by its clock, in seconds since the epoch; 0: it does not answer
    // It is another than the first that slurm.conf names, and was started long before it took over.
    bool has_stood_by = false;
};

ControllerStart controller_start();

}  // namespace hora::slurm
