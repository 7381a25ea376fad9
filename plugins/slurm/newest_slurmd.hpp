// When was a slurmd last started?
#pragma once

#include <cstdint>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// The newest of these nodes ("n[1-2]"), or of all where none is named, by its clock in seconds
// since the epoch; 0: none has registered. Fails where slurmctld does not answer.
Expected<std::int64_t> newest_slurmd(std::string_view nodes);

}  // namespace hora::slurm
