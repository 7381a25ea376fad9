// Which types of node does a cluster have?
#pragma once

#include <span>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/node_type.hpp"

namespace hora::read {

// Each text is NAME=NODESxGPUS, GPUs of each node: a100=4x8. Fails, naming the text, on anything
// else, where a name comes twice, and on more than 64 types or 100,000 nodes in all.
Expected<std::vector<domain::NodeType>> read_node_types(std::span<const std::string> texts);

}  // namespace hora::read
