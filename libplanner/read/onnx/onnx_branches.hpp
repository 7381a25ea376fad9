// Which nodes does an If stand for, once its condition is known?
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_set>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/read/onnx/onnx_bodies.hpp"

namespace hora::read {

// Makes the tensors that graphs in nodes hold the whole graph's, by names that no other has.
void collect_initializers(onnx::GraphProto& graph);

class Branches {
  public:
    // Of a graph whose nodes' graphs hold no tensors.
    explicit Branches(const onnx::GraphProto& graph);

    // Takes the nodes of the branch out of the If, which stands in the graph or in a branch that
    // was taken before. Put in its place they compute its outputs; other tensors of the branch have
    // names that the graph does not have. Fails where the branch is missing or is none, and where
    // one of its nodes or constants is refused (onnx_node.hpp, onnx_graph.hpp); names the node.
    Expected<Nodes> take(onnx::NodeProto& node, bool condition);

  private:
    Expected<OuterNames> names_around(const std::vector<std::string>& outputs,
                                      const std::unordered_set<std::string>& computed) const;
    void name_apart(const Nodes& nodes, OuterNames& names);

    TensorNames names_;
};

}  // namespace hora::read
