// How are the machines of a snapshot shown to people and programs?
#pragma once

#include <string>

#include "libplanner/domain/snapshot.hpp"

namespace hora::report {

// One line for nodes that are alike: names, GPUs by type, which are free, CPUs, partitions, switch.
std::string cluster_table(const domain::Snapshot& snapshot);

// {"version", "cluster", "written", "nodes": [{"name", "gpus": [{"index", "type", "free"}], ...}]}
std::string cluster_json(const domain::Snapshot& snapshot);

}  // namespace hora::report
