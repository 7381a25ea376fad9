// Which shapes have the tensors of an ONNX graph?
#pragma once

#include <onnx/onnx_pb.h>

#include "libplanner/base/error.hpp"
#include "libplanner/read/onnx/onnx_inference.hpp"

namespace hora::read {

// Adds them to the graph, whose nodes stand in the order in which they run; what cannot be inferred
// has none, and a reason instead. Each operator's inference is the ONNX library's, with the numbers
// that the nodes before compute as inputs (onnx_folding.hpp). Fails, naming the node, for one that
// does not fit its operator, and for one on which the library would crash.
Expected<ShapeGaps> infer_shapes(onnx::ModelProto& model);

}  // namespace hora::read
