// Which GPUs was a job promised, as programs read it?
#pragma once

#include <nlohmann/json.hpp>

#include "libplanner/domain/decision.hpp"

namespace hora::report {

// Null where nothing was promised; "free" and "wait" where Slurm was made to keep it.
nlohmann::ordered_json json_of(const domain::Placement& placement);

}  // namespace hora::report
