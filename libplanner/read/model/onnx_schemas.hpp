// Which operators' shapes are computed beyond what the ONNX library does by itself?
#pragma once

#include <onnx/defs/schema.h>

#include <stdexcept>

namespace hora::read {

// A node whose inputs do not fit its operator: none of the exceptions that the library swallows.
class OnnxMisfit : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

// The library's operators, of which a few can do more. PyTorch splits the projections of attention
// by a Slice whose bounds are a Div of an extent. The library follows values of shapes through
// neither, so nothing behind such a Slice would have a shape. And convolutions look at their inputs
// first, by OnnxMisfit: the library reads as many extents of the first as the second one has.
const onnx::ISchemaRegistry& onnx_schemas();

}  // namespace hora::read
