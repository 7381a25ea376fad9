// Which operators' shapes are computed beyond what the ONNX library does by itself?
#pragma once

#include <onnx/defs/schema.h>

namespace hora::read {

// The library's operators, of which a few can do more: PyTorch splits the projections of attention
// by a Slice whose bounds are a Div of an extent. The library follows values of shapes through
// neither, so nothing behind such a Slice would have a shape.
const onnx::ISchemaRegistry& onnx_schemas();

}  // namespace hora::read
