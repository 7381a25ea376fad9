// What does one node of an ONNX graph cost?
#pragma once

#include <optional>

#include "libplanner/domain/network.hpp"
#include "libplanner/read/onnx/onnx_bodies.hpp"
#include "libplanner/read/onnx/onnx_graph.hpp"

namespace hora::read {

// Fails for an operator whose work depends on data or is not known, which needs no shapes to tell.
// What an If stands for (onnx_branches.hpp) is checked when that is known.
Expected<void> check_node(const onnx::NodeProto& node);
// Names the node.
Expected<void> check_nodes(const Nodes& nodes);

// Empty for a node that only looks at its input in another way, or that computes shapes. Counts
// are for the batch that the graph's inputs have. Fails where a shape is missing that the count
// needs.
Expected<std::optional<domain::Layer>> read_node(const onnx::NodeProto& node, OnnxGraph& graph);

}  // namespace hora::read
