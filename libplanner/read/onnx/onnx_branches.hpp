// Which nodes does an If stand for, once its condition is known?
#pragma once

#include <onnx/onnx_pb.h>

#include "libplanner/base/error.hpp"
#include "libplanner/read/onnx/onnx_bodies.hpp"

namespace hora::read {

class Branches {
  public:
    explicit Branches(const onnx::GraphProto& graph) { names_.add(graph); }

    // Takes the nodes of the branch out of the If of the graph, or of a branch that was taken
    // before, to stand in its place: they read what is around it, and compute its outputs. The
    // branch's own tensors become constants. Fails where the branch is missing, is no graph that an
    // If may have, or has a node or a constant that is refused (onnx_node.hpp, onnx_graph.hpp).
    Expected<Nodes> take(onnx::NodeProto& node, bool condition);

  private:
    void name_apart(const Nodes& nodes, OuterNames& names);

    TensorNames names_;
};

}  // namespace hora::read
