// How is a resize written down? For the journal; one version of the daemon reads its own.
#pragma once

#include <nlohmann/json.hpp>

#include "libplanner/read/format/json_object.hpp"
#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

nlohmann::ordered_json to_json(const slurm::JobShape& shape);
nlohmann::ordered_json to_json(const ResizeEntry& entry);

// What is wrong with the object becomes the problem.
slurm::JobShape read_shape(read::JsonObject object);
ResizeEntry read_entry(read::JsonObject object, read::JsonProblem& problem);

}  // namespace hora::horad
