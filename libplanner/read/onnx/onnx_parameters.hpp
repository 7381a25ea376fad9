// Which tensors of an ONNX graph are trained numbers, and which names mean the same ones?
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "libplanner/read/onnx/onnx_graph.hpp"

namespace hora::read {

// From each name of trained numbers to the tensor that holds them. That is an initializer of floats
// with extents (a bias may be a list of one), a constant of floats that are not all the same, or
// one of these of whole numbers that a DequantizeLinear scales. Its numbers may have been turned
// round or rounded by nodes, or be a part of it (Slice, Split, a Gather by constants). Where
// PyTorch has written several tensors of the same numbers once, each is a tensor of its own.
std::unordered_map<std::string, std::string> find_parameters(
    const onnx::GraphProto& graph, const OnnxGraph::Initializers& initializers);

// Names of what no input of the graph takes part in: initializers, constants, and what nodes
// compute of these alone, as a weight from its direction and its norm.
std::unordered_set<std::string> find_fixed(const onnx::GraphProto& graph,
                                           const OnnxGraph::Initializers& initializers);

// Exporters that compute constants beforehand write the table of an embedding that is also the
// output's weights twice, the second time transposed. From the name of such a copy to the table's;
// needs the initializers' data.
std::unordered_map<std::string, std::string> find_transposed_copies(const onnx::GraphProto& graph);

}  // namespace hora::read
