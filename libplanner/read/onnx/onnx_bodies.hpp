// What do the nodes of a body need to stand in place of one node: those of a function, or of a
// branch?
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

// Graphs that a node has as attributes, as the branches of an If.
std::vector<onnx::GraphProto*> graphs_of(onnx::NodeProto& node);
std::vector<const onnx::GraphProto*> graphs_of(const onnx::NodeProto& node);

// Calls `look` for each node, also within the graphs of nodes.
void for_each_node(const Nodes& nodes, const std::function<void(const onnx::NodeProto&)>& look);
std::size_t count_nodes(const Nodes& nodes);

// How deep graphs lie within graphs: 0 where no node has one.
std::size_t depth_of(const Nodes& nodes);

// Calls `change` for each name of a tensor that the node reads, writes or holds, also within its
// graphs, where the names around them are known too. Their statements of types are removed.
void change_names(onnx::NodeProto& node, const std::function<void(std::string& name)>& change);

// Names of tensors that are in use.
class TensorNames {
  public:
    void add(const onnx::GraphProto& graph);
    // Those within the graphs of its nodes as well.
    void add_with_inner(const onnx::GraphProto& graph);
    // These are not in use, but no name with a number may be one of them.
    void avoid_inner(const onnx::GraphProto& graph);

    bool contains(const std::string& name) const { return used_.contains(name); }
    // The name, or one with a number behind it where that is in use; from now on it is.
    std::string take(const std::string& name);

  private:
    std::unordered_set<std::string> used_;
    std::unordered_set<std::string> avoided_;
    std::size_t same_ = 0;
};

// Names of the nodes' outputs.
std::unordered_set<std::string> computed_by(const Nodes& nodes);

// From names within a body to those around it.
using OuterNames = std::unordered_map<std::string, std::string>;

// Gives a body's outputs, as many as the node's at least, the names that the node around it gives
// them. One that has an outer name already, as an input or another output, is copied by one of the
// nodes returned, to stand behind the body. Fails for one that neither stands in `names` nor is
// `computed` by the body.
Expected<Nodes> name_outputs(const std::vector<std::string>& outputs, const onnx::NodeProto& around,
                             const std::unordered_set<std::string>& computed, OuterNames& names);

}  // namespace hora::read
