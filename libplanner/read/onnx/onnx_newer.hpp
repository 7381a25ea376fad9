// Which types and shapes have the outputs of operators that are newer than the ONNX library?
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/model/layer_spec.hpp"
#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {

// By place; one that is not set is not known.
using OutputTypes = std::vector<onnx::TypeProto>;

// Whether it is of an operator, or of a form of one, that came after version 17, the last that the
// library of Debian 12 has; `version` is the model's.
bool is_newer(const onnx::NodeProto& node, int version);

// An error says how the inputs do not fit.
using InferTypes = Expected<OutputTypes> (*)(const KnownNode& node);
// Null for a node that is not newer: the library's to infer.
InferTypes find_newer(const onnx::NodeProto& node, int version);

onnx::TypeProto tensor_type(std::int32_t element, const model::Shape& extents);
// Of a tensor all of whose extents are known. Null: nothing is known of it.
std::optional<model::Shape> known_shape(const onnx::TypeProto* type);

}  // namespace hora::read
