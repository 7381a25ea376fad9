// How are the machines of a snapshot written down? The part of report/snapshot.hpp for a Cluster.
#pragma once

#include <nlohmann/json.hpp>

#include "libplanner/domain/snapshot.hpp"

namespace hora::report {

// "devices", "switches", "shapes" and "nodes": nodes that are alike in all but name are written
// once, and a node's GPU topology (its shape) once for all nodes that share it.
void write_machines(const domain::Snapshot& snapshot, nlohmann::ordered_json& root);

}  // namespace hora::report
