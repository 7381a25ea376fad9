// How is the inside of a machine shown: to programs, as a tree, and GPU by GPU?
#pragma once

#include <string>
#include <vector>

#include "libplanner/domain/topology.hpp"

namespace hora::report {

// What `hora topology --json` prints; read::read_topology_json reads it back.
std::string to_json(const domain::Topology& topology);

// The tree, at most 100 columns wide.
std::string topology_tree(const domain::Topology& topology);
// Each GPU and NIC against each other, as `nvidia-smi topo -m` has it, with its legend, and the
// bandwidths between GPUs.
std::string topology_matrix(const domain::Topology& topology);

// What was assumed because no input said it, for people: a sentence each.
std::vector<std::string> topology_remarks(const domain::Topology& topology);

}  // namespace hora::report
