// What does the history say of a job that slurmctld had forgotten something of?
#pragma once

#include <cstdint>
#include <string>

#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

// No resize. `restarts`: of the start that was forgotten.
Resized released_row(const slurm::Job& job, std::uint32_t restarts, std::string why,
                     std::string remark, Moment now);

}  // namespace hora::horad
