// Which operators of ONNX are known, and how is the work of each counted?
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/model/count.hpp"
#include "libplanner/model/layer_spec.hpp"
#include "libplanner/read/onnx/onnx_folding.hpp"
#include "libplanner/read/onnx/onnx_graph.hpp"

namespace hora::read {

// A node with its tensors at hand; a shape that is not known fails with the tensor's name.
class NodeReader {
  public:
    NodeReader(const onnx::NodeProto& node, const OnnxGraph& graph) : node_(node), graph_(graph) {}

    const onnx::NodeProto& node() const { return node_; }
    Expected<model::Shape> input(int place) const;
    Expected<model::Shape> output() const { return shape_of(first_output()); }
    Expected<model::Shape> shape_of(const std::string& name) const;
    // An output may be left out by an empty name.
    const std::string& first_output() const;
    const onnx::AttributeProto* attribute(std::string_view name) const {
        return find_attribute(node_, name);
    }

  private:
    const onnx::NodeProto& node_;
    const OnnxGraph& graph_;
};

enum class OnnxRole {
    works,          // its inputs mean what the places below say
    writes,         // writes its output; every trained input is its own, like a scale
    is_view,        // looks at the same elements in another way
    has_settings,   // as writes, but the numbers beside its input are no parameters
    is_unsupported  // its work depends on data, or is not counted in multiply-adds
};

struct OnnxOperator {
    std::string_view name;
    std::string_view type;  // as layer tables call it
    OnnxRole role = OnnxRole::writes;
    Expected<model::Count> (*mac)(const NodeReader& reader) = nullptr;  // null: no multiply-adds
    std::vector<int> weights = {};                                      // places of inputs
    std::vector<int> biases = {};                                       // P1 leaves them out of M
};

// Every operator of ONNX itself that is not in the table writes its output and multiplies nothing.
const OnnxOperator& onnx_operator(std::string_view name);

}  // namespace hora::read
