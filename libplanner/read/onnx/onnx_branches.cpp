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
#include "libplanner/read/quoted.hpp"

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
        return failure(fmt::format("it has no {}; export the network again", name));
    }
    GraphProto& branch = *found->mutable_g();
    if (!branch.input().empty() || !branch.sparse_initializer().empty() ||
        branch.output_size() < node.output_size()) {
        return failure(
            fmt::format("its {} has inputs or sparse tensors, or fewer outputs than the "
                        "node; export the network without it",
                        name));
    }
    return &branch;
}

// Tensors that the graph computes or reads, also in the graphs within it.
void rename(GraphProto& graph, const OuterNames& names) {
    const auto change = [&](std::string& name) {
        const auto outer = names.find(name);
        name = outer == names.end() ? name : outer->second;
    };
    for (NodeProto& node : *graph.mutable_node()) {
        change_names(node, change);
    }
    for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
        change(*output.mutable_name());
    }
}

void collect_initializers(Nodes& nodes, TensorNames& used, GraphProto& whole) {
    for (NodeProto& node : nodes) {
        for (GraphProto* const graph : graphs_of(node)) {
            OuterNames names;
            for (onnx::TensorProto& tensor : *graph->mutable_initializer()) {
                const std::string own = used.take(tensor.name());
                names.emplace(tensor.name(), own);
                tensor.set_name(own);
                whole.add_initializer()->Swap(&tensor);
            }
            graph->clear_initializer();
            if (!names.empty()) {
                rename(*graph, names);
            }
            collect_initializers(*graph->mutable_node(), used, whole);
        }
    }
}

std::vector<std::string> outputs_of(const GraphProto& branch) {
    std::vector<std::string> names;
    for (const onnx::ValueInfoProto& output : branch.output()) {
        names.push_back(output.name());
    }
    return names;
}

}  // namespace

void collect_initializers(GraphProto& graph) {
    TensorNames used;
    used.add_with_inner(graph);
    collect_initializers(*graph.mutable_node(), used, graph);
}

Branches::Branches(const GraphProto& graph) {
    names_.add(graph);
    names_.avoid_inner(graph);
}

Expected<Nodes> Branches::take(NodeProto& node, bool condition) {
    const auto within = [&](const Error& error) {
        return unexpected(error.within("node " + quoted(node.name())));
    };
    const Expected<GraphProto*> branch = find_branch(node, condition);
    if (!branch) {
        return within(branch.error());
    }
    const std::vector<std::string> outputs = outputs_of(**branch);
    const auto computed = computed_by((*branch)->node());
    Expected<OuterNames> names = names_around(outputs, computed);
    if (!names) {
        return within(names.error());
    }
    Expected<Nodes> copies = name_outputs(outputs, node, computed, *names);
    if (!copies) {
        return within(copies.error());
    }
    name_apart((*branch)->node(), *names);
    rename(**branch, *names);
    Nodes nodes = std::move(*(*branch)->mutable_node());
    for (NodeProto& copy : *copies) {
        nodes.Add(std::move(copy));
    }
    if (const auto good = check_nodes(nodes).and_then([&] { return check_constants(nodes); });
        !good) {
        return unexpected(good.error());
    }
    return nodes;
}

// An output that no node of the branch computes is a tensor around it.
Expected<OuterNames> Branches::names_around(const std::vector<std::string>& outputs,
                                            const std::unordered_set<std::string>& computed) const {
    OuterNames names;
    for (const std::string& output : outputs) {
        if (computed.contains(output)) {
            continue;
        }
        if (output.empty() || !names_.contains(output)) {
            return failure(
                fmt::format("no node computes the output {} of its branch; export the "
                            "network again",
                            quoted(output)));
        }
        names.emplace(output, output);
    }
    return names;
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
