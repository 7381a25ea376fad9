// Nodes of an ONNX graph as lines, to compare them.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

namespace hora::read {

std::string line_of(const onnx::NodeProto& node);

// "Relu x -> y; Neg y -> z | z": the nodes, and the outputs.
inline std::string line_of(const onnx::GraphProto& graph) {
    std::string line;
    for (const onnx::NodeProto& node : graph.node()) {
        line += (line.empty() ? "" : "; ") + line_of(node);
    }
    line += line.empty() ? "|" : " |";
    for (const onnx::ValueInfoProto& output : graph.output()) {
        line += " " + output.name();
    }
    return line;
}

// "Concat x - -> y axis=1": a name that is left out is a dash.
inline std::string line_of(const onnx::NodeProto& node) {
    std::string line = node.op_type();
    for (const std::string& input : node.input()) {
        line += " " + (input.empty() ? "-" : input);
    }
    line += " ->";
    for (const std::string& output : node.output()) {
        line += " " + (output.empty() ? "-" : output);
    }
    for (const onnx::AttributeProto& attribute : node.attribute()) {
        line += " " + attribute.name() + "=" +
                (attribute.has_g() ? "(" + line_of(attribute.g()) + ")"
                                   : std::to_string(attribute.i()));
    }
    return line;
}

inline std::vector<std::string> lines_of(
    const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
    std::vector<std::string> lines;
    for (const onnx::NodeProto& node : nodes) {
        lines.push_back(line_of(node));
    }
    return lines;
}

}  // namespace hora::read
