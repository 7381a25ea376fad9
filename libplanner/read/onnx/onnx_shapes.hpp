// Which shapes have the tensors of an ONNX graph?
#pragma once

#include <onnx/onnx_pb.h>

#include "libplanner/base/error.hpp"
#include "libplanner/read/onnx/onnx_inference.hpp"

namespace hora::read {

// Adds them to the graph, whose nodes stand in the order in which they run; what cannot be inferred
// has none, and a reason instead. Each operator's inference is the ONNX library's, with the numbers
// that the nodes before compute as inputs (onnx_folding.hpp). The nodes of the branch that it takes
// stand in the place of each If afterwards. Fails, naming the node, for one that does not fit its
// operator, for one on which the library would crash, and for an If whose branch is not known.
Expected<ShapeGaps> infer_shapes(onnx::ModelProto& model);

}  // namespace hora::read
