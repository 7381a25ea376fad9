// Which nodes do the functions stand for that a model defines of its own?
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>

#include "libplanner/base/error.hpp"

namespace hora::read {

// A block of a network calls functions for its layers, and these others for their operators.
constexpr std::size_t deepest_function = 64;
// Of nodes of functions, with their constants, as often as they are called, in memory.
constexpr std::size_t most_function_bytes = std::size_t{256} << 20;

// Replaces each node of the graph, and of the graphs in its nodes (If), that calls a function by
// the function's nodes, and takes the functions out of the model. Names of tensors stay apart; a
// node's begins with that of the call. Fails with the function's name where functions call
// themselves, are nested deeper than deepest_function, would become more than max_onnx_nodes or
// most_function_bytes, are called with more than they have, or mean another version of an operator
// than the model.
Expected<void> inline_functions(onnx::ModelProto& model);

}  // namespace hora::read
