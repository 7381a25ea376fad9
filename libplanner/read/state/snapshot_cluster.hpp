// Which machines does a snapshot file describe? The part of snapshot.hpp that builds a
// Cluster.
#pragma once

#include "libplanner/domain/snapshot.hpp"
#include "libplanner/read/format/json_object.hpp"

namespace hora::read {

// Fills cluster and states from "devices", "switches", "shapes" and "nodes"; what is wrong goes to
// the object's problem.
void read_machines(JsonObject& root, JsonProblem& problem, domain::Snapshot& snapshot);

}  // namespace hora::read
