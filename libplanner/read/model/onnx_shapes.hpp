// Which shapes have the tensors of an ONNX graph, by the ONNX library?
#pragma once

#include <onnx/onnx_pb.h>

#include "libplanner/base/error.hpp"

namespace hora::read {

// Adds them to the graph; what cannot be inferred has none. Fails, naming the node, for one that
// does not fit its operator, and for one on which the library would crash.
Expected<void> infer_shapes(onnx::ModelProto& model);

}  // namespace hora::read
