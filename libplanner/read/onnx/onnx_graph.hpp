// Which shapes and which parameters do the tensors of an ONNX graph have?
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "libplanner/base/error.hpp"
#include "libplanner/model/layer_spec.hpp"
#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/read/onnx/onnx_bodies.hpp"
#include "libplanner/read/onnx/onnx_inference.hpp"

namespace hora::read {

struct OnnxTensor {
    std::optional<model::Shape> shape;  // empty: not all extents are known
    bool holds_floats = true;           // true where the type is not known either
    std::string copy_of = {};           // the initializer with the same numbers; empty: none
};

bool holds_floats(std::int32_t type);  // a TensorProto's data type

// Looks up tensors by name; made once the shapes have been inferred.
class OnnxGraph {
  public:
    using Initializers = std::unordered_map<std::string, OnnxTensor>;

    OnnxGraph(const onnx::GraphProto& graph, Initializers initializers, ShapeGaps gaps);

    // Null when nothing is known of the name.
    const OnnxTensor* find(const std::string& name) const;
    // The end of a message about a shape that is not known.
    std::string why_unknown(const std::string& name) const;
    // True for a tensor of trained numbers (onnx_parameters.hpp).
    bool is_parameter(const std::string& name) const { return parameters_.contains(name); }
    // True for what is the same for each sample (onnx_parameters.hpp).
    bool is_fixed(const std::string& name) const { return fixed_.contains(name); }
    // The trained numbers behind a name; null where there are none, and for all but the first who
    // asks: a parameter that several nodes read counts once.
    const OnnxTensor* take_parameter(const std::string& name);

  private:
    Initializers tensors_;
    ShapeGaps gaps_;
    std::unordered_map<std::string, std::string> parameters_;  // to the tensor that holds them
    std::unordered_set<std::string> fixed_;
    std::unordered_set<std::string> counted_;
};

// Fails where a constant holds data that are not as long as its extents say.
Expected<void> check_constants(const Nodes& nodes);

// Takes the initializers out of the graph: the shapes need no weights. Small ones, which may say
// how to reshape, stay as well. Fails where a tensor holds data that are not as long as its extents
// say, and where two have one name.
Expected<OnnxGraph::Initializers> strip_initializers(onnx::GraphProto& graph);

struct FixedInputs {
    bool had_dynamic_batch = false;  // of one of them: it is one sample now
};

// Sets every dynamic extent of the inputs: the batch (onnx_batch.hpp; the first one where nothing
// says another) to one sample, the others to the sequence length. Fails where there is no such
// length, or no extent for it.
Expected<FixedInputs> fix_inputs(onnx::GraphProto& graph,
                                 const OnnxGraph::Initializers& initializers,
                                 const model::NetworkOptions& options);

}  // namespace hora::read
