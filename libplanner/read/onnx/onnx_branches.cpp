// Which nodes does an If stand for, once its condition is known?
#include "libplanner/read/onnx/onnx_branches.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/read/onnx/onnx_graph.hpp"
#include "libplanner/read/onnx/onnx_node.hpp"

namespace hora::read {
namespace {

using onnx::GraphProto;
using onnx::NodeProto;

Expected<GraphProto*> find_branch(NodeProto& node, bool condition) {
    const std::string_view name = condition ? "then_branch" : "else_branch";
    auto& attributes = *node.mutable_attribute();
    const auto found = std::find_if(attributes.begin(), attributes.end(), [name](const auto& it) {
        return it.name() == name && it.has_g();
    });
    if (found == attributes.end()) {
        return failure(fmt::format("it has no {}", name));
    }
    GraphProto& branch = *found->mutable_g();
    if (!branch.input().empty() || !branch.sparse_initializer().empty() ||
        branch.output_size() < node.output_size()) {
        return failure(fmt::format(
            "its {} has inputs or sparse tensors of its own, or fewer outputs than the node",
            name));
    }
    return &branch;
}

void add_constant(onnx::TensorProto& tensor, Nodes& nodes) {
    NodeProto& node = *nodes.Add();
    node.set_op_type("Constant");
    node.add_output(tensor.name());
    onnx::AttributeProto& value = *node.add_attribute();
    value.set_name("value");
    value.set_type(onnx::AttributeProto::TENSOR);
    value.mutable_t()->Swap(&tensor);
}

Nodes take_nodes(GraphProto& branch) {
    Nodes nodes;
    for (onnx::TensorProto& tensor : *branch.mutable_initializer()) {
        add_constant(tensor, nodes);
    }
    for (NodeProto& node : *branch.mutable_node()) {
        nodes.Add(std::move(node));
    }
    return nodes;
}

std::vector<std::string> outputs_of(const GraphProto& branch) {
    std::vector<std::string> names;
    for (const onnx::ValueInfoProto& output : branch.output()) {
        names.push_back(output.name());
    }
    return names;
}

// What no node of the branch computes is a tensor around it.
OuterNames names_around(const std::vector<std::string>& outputs, const Nodes& nodes) {
    const auto computed = computed_by(nodes);
    OuterNames names;
    for (const std::string& output : outputs) {
        if (!computed.contains(output)) {
            names.emplace(output, output);
        }
    }
    return names;
}

}  // namespace

Expected<Nodes> Branches::take(NodeProto& node, bool condition) {
    const Expected<GraphProto*> branch = find_branch(node, condition);
    if (!branch) {
        return unexpected(branch.error());
    }
    Nodes nodes = take_nodes(**branch);
    const std::vector<std::string> outputs = outputs_of(**branch);
    OuterNames names = names_around(outputs, nodes);
    Expected<Nodes> copies = name_outputs(outputs, node, nodes, names);
    if (!copies) {
        return copies;
    }
    name_apart(nodes, names);
    for (NodeProto& inner : nodes) {
        change_names(inner, [&](std::string& name) {
            const auto outer = names.find(name);
            name = outer == names.end() ? name : outer->second;
        });
    }
    for (NodeProto& copy : *copies) {
        nodes.Add(std::move(copy));
    }
    if (const auto good = check_nodes(nodes).and_then([&] { return check_constants(nodes); });
        !good) {
        return unexpected(good.error());
    }
    return nodes;
}

// Two branches may have tensors of one name.
void Branches::name_apart(const Nodes& nodes, OuterNames& names) {
    for (const NodeProto& node : nodes) {
        for (const std::string& output : node.output()) {
            if (!output.empty() && !names.contains(output)) {
                names.emplace(output, names_.take(output));
            }
        }
    }
}

}  // namespace hora::read
