// How much work is a job, by what its owner said on submission?
#pragma once

#include <cstdint>
#include <optional>

#include "libplanner/domain/job_options.hpp"

namespace hora::horad {

// Steps in all; empty where that was not said.
std::optional<std::uint64_t> stated_steps(const domain::JobOptions& options);

}  // namespace hora::horad
