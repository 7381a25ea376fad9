// What do the nodes of a body need to stand in place of one node: those of a function, or of a
// branch?
#include "libplanner/read/onnx/onnx_bodies.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "libplanner/read/quoted.hpp"

namespace hora::read {

using onnx::GraphProto;
using onnx::NodeProto;

std::vector<GraphProto*> graphs_of(NodeProto& node) {
    std::vector<GraphProto*> graphs;
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) {
            graphs.push_back(attribute.mutable_g());
        }
        for (GraphProto& graph : *attribute.mutable_graphs()) {
            graphs.push_back(&graph);
        }
    }
    return graphs;
}

std::vector<const GraphProto*> graphs_of(const NodeProto& node) {
    std::vector<const GraphProto*> graphs;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) {
            graphs.push_back(&attribute.g());
        }
        for (const GraphProto& graph : attribute.graphs()) {
            graphs.push_back(&graph);
        }
    }
    return graphs;
}

void for_each_node(const Nodes& nodes, const std::function<void(const NodeProto&)>& look) {
    for (const NodeProto& node : nodes) {
        look(node);
        for (const GraphProto* const graph : graphs_of(node)) {
            for_each_node(graph->node(), look);
        }
    }
}

std::size_t count_nodes(const Nodes& nodes) {
    std::size_t count = 0;
    for_each_node(nodes, [&](const NodeProto&) { ++count; });
    return count;
}

std::size_t depth_of(const Nodes& nodes) {
    std::size_t depth = 0;
    for (const NodeProto& node : nodes) {
        for (const GraphProto* const graph : graphs_of(node)) {
            depth = std::max(depth, depth_of(graph->node()) + 1);
        }
    }
    return depth;
}

void change_names(NodeProto& node, const std::function<void(std::string& name)>& change) {
    std::for_each(node.mutable_input()->begin(), node.mutable_input()->end(), change);
    std::for_each(node.mutable_output()->begin(), node.mutable_output()->end(), change);
    for (GraphProto* const graph : graphs_of(node)) {
        graph->clear_value_info();
        for (auto* const values : {graph->mutable_input(), graph->mutable_output()}) {
            for (onnx::ValueInfoProto& value : *values) {
                change(*value.mutable_name());
            }
        }
        for (onnx::TensorProto& tensor : *graph->mutable_initializer()) {
            change(*tensor.mutable_name());
        }
        for (NodeProto& inner : *graph->mutable_node()) {
            change_names(inner, change);
        }
    }
}

void TensorNames::add(const GraphProto& graph) {
    for (const auto* const values : {&graph.input(), &graph.output(), &graph.value_info()}) {
        for (const onnx::ValueInfoProto& value : *values) {
            used_.insert(value.name());
        }
    }
    for (const onnx::TensorProto& tensor : graph.initializer()) {
        used_.insert(tensor.name());
    }
    for (const NodeProto& node : graph.node()) {
        used_.insert(node.input().begin(), node.input().end());
        used_.insert(node.output().begin(), node.output().end());
    }
}

void TensorNames::add_with_inner(const GraphProto& graph) {
    add(graph);
    for (const NodeProto& node : graph.node()) {
        for (const GraphProto* const inner : graphs_of(node)) {
            add_with_inner(*inner);
        }
    }
}

void TensorNames::avoid_inner(const GraphProto& graph) {
    TensorNames all;
    all.add_with_inner(graph);
    avoided_.merge(all.used_);
}

std::string TensorNames::take(const std::string& name) {
    std::string own = name;
    while (!used_.insert(own).second) {
        do {
            own = fmt::format("{}_{}", name, ++same_);
        } while (avoided_.contains(own));
    }
    return own;
}

std::unordered_set<std::string> computed_by(const Nodes& nodes) {
    std::unordered_set<std::string> names;
    for (const NodeProto& node : nodes) {
        names.insert(node.output().begin(), node.output().end());
    }
    names.erase("");
    return names;
}

Expected<Nodes> name_outputs(const std::vector<std::string>& outputs, const NodeProto& around,
                             const std::unordered_set<std::string>& computed, OuterNames& names) {
    Nodes copies;
    for (int place = 0; place < around.output_size(); ++place) {
        const std::string& name = outputs[static_cast<std::size_t>(place)];
        const std::string& outside = around.output(place);
        if (outside.empty()) {
            continue;
        }
        const auto [known, is_new] = names.emplace(name, outside);
        if (is_new && !computed.contains(name)) {
            return failure(fmt::format("no node of it computes its output {}", quoted(name)));
        }
        if (!is_new) {
            NodeProto& copy = *copies.Add();
            copy.set_op_type("Identity");
            copy.set_name(around.name());
            copy.add_input(known->second);
            copy.add_output(outside);
        }
    }
    return copies;
}

}  // namespace hora::read
