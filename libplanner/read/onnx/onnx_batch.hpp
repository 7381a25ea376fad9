// Which extent of each input of an ONNX graph is the batch, and how large is it?
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "libplanner/read/onnx/onnx_graph.hpp"

namespace hora::read {

// By the inputs' names the places of the batch among their extents, counted from 0, before shapes
// are inferred. An extent is the batch whose own name begins with "batch"; else the one that
// operators take as such (those of recurrent layers, convolutions, pools and attention say where
// they have it), also where other operators have moved it; else one with the name of another
// input's batch. An input of which none of these says anything, or operators two places, is not
// among them.
std::unordered_map<std::string, std::size_t> find_batch_places(
    const onnx::GraphProto& graph, const OnnxGraph::Initializers& initializers);

struct FixedBatch {
    std::uint64_t samples = 1;
    std::string remark = {};  // what the file leaves open; empty: nothing
};

// Of a graph whose inputs have fixed extents, and whose shapes have been inferred. By the extents
// that operators take as the batch; where they take none, by the first extents of the inputs. Where
// these differ the outputs' first extents decide, and where they do not either it is one sample.
FixedBatch find_fixed_batch(const onnx::GraphProto& proto, const OnnxGraph& graph);

}  // namespace hora::read
