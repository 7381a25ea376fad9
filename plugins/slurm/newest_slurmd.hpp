// When was a slurmd last started?
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// The newest of these nodes ("n[1-2]"), or of all where none is named, by its clock in seconds
// since the epoch; 0: none has registered. Empty where this user may not look at nodes
// (PrivateData). Fails where slurmctld does not answer.
Expected<std::optional<std::int64_t>> newest_slurmd(std::string_view nodes);

}  // namespace hora::slurm
