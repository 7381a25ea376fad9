// What does one node of an ONNX graph cost?
#include "libplanner/read/onnx/onnx_node.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "libplanner/model/measure.hpp"
#include "libplanner/read/onnx/onnx_bodies.hpp"
#include "libplanner/read/onnx/onnx_operator.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using domain::LayerKind;
using model::Count;
using model::Shape;
using onnx::NodeProto;

struct Parameters {
    Count weights;
    Count biases;
    Count computed;  // weights that the graph computes of trained numbers
};

// Adds what the node is the first to read.
void count_parameter(const NodeProto& node, int place, OnnxGraph& graph, Count& sum) {
    if (place >= node.input_size()) {
        return;
    }
    if (const OnnxTensor* const tensor = graph.take_parameter(node.input(place))) {
        sum += model::elements(*tensor->shape);
    }
}

// Read once a step, like trained weights.
void count_computed(const NodeProto& node, int place, const OnnxGraph& graph, Count& sum) {
    if (place >= node.input_size() || !graph.is_fixed(node.input(place)) ||
        graph.is_parameter(node.input(place))) {
        return;
    }
    const OnnxTensor* const tensor = graph.find(node.input(place));
    if (tensor != nullptr && tensor->shape) {
        sum += model::elements(*tensor->shape);
    }
}

Parameters count_parameters(const NodeProto& node, OnnxGraph& graph) {
    const OnnxOperator& known = onnx_operator(node.op_type());
    Parameters parameters;
    for (const int place : known.weights) {
        count_parameter(node, place, graph, parameters.weights);
        count_computed(node, place, graph, parameters.computed);
    }
    for (const int place : known.biases) {
        count_parameter(node, place, graph, parameters.biases);
    }
    for (int place = 0; known.role == OnnxRole::writes && place < node.input_size(); ++place) {
        count_parameter(node, place, graph, parameters.weights);
    }
    return parameters;
}

bool is_recurrent(const NodeProto& node) {
    return node.op_type() == "LSTM" || node.op_type() == "GRU" || node.op_type() == "RNN";
}

// Whether or not an earlier node was the first to read them, and also where others compute them.
bool has_trained_weights(const NodeReader& reader, const OnnxGraph& graph) {
    const NodeProto& node = reader.node();
    const std::vector<int>& places = onnx_operator(node.op_type()).weights;
    return std::any_of(places.begin(), places.end(), [&](int place) {
        return place < node.input_size() &&
               (graph.is_parameter(node.input(place)) || graph.is_fixed(node.input(place)));
    });
}

// A Split writes the whole of its input, in parts. What other operators have beside their first
// output are places, or a few numbers for each row.
Expected<Count> elements_of_parts(const NodeReader& reader) {
    Count sum;
    for (const std::string& output : reader.node().output()) {
        if (output.empty()) {
            continue;
        }
        const Expected<Shape> part = reader.shape_of(output);
        if (!part) {
            return unexpected(part.error());
        }
        sum += model::elements(*part);
    }
    return sum;
}

// A recurrent layer writes every gate and state (model/layer.hpp), a Split all its parts; any other
// writes its output. R's extents are directions x (gates * width) x width.
Expected<Count> written_elements(const NodeReader& reader, const Shape& output) {
    if (reader.node().op_type() == "Split") {
        return elements_of_parts(reader);
    }
    if (!is_recurrent(reader.node())) {
        return model::elements(output);
    }
    const Expected<Shape> input = reader.input(0);
    const Expected<Shape> recurrence = reader.input(2);
    if (!input || !recurrence || input->size() != 3 || recurrence->size() != 3) {
        return failure("its inputs need three extents each");
    }
    const Count states(reader.node().op_type() == "LSTM" ? 2 : 1);
    const Count row = Count((*recurrence)[1]) + states * Count((*recurrence)[2]);
    return Count((*input)[0]) * Count((*input)[1]) * Count((*recurrence)[0]) * row;
}

std::string type_of(const NodeReader& reader, const OnnxGraph& graph, const Shape& output) {
    const std::string& name = reader.node().op_type();
    const std::string type(onnx_operator(name).type);
    if (name == "Conv" || name == "ConvTranspose") {
        return fmt::format("{}{}d", type, output.size() < 2 ? 0 : output.size() - 2);
    }
    return name == "Gather" && !has_trained_weights(reader, graph) ? "gather" : type;
}

// A product of two matrices neither of which is trained is attention's: scores, and their use.
LayerKind kind_of(const NodeReader& reader, const OnnxGraph& graph, Count mac) {
    if (mac == Count(0)) {
        return LayerKind::memory;
    }
    const std::string& name = reader.node().op_type();
    if (name == "Conv" || name == "ConvTranspose") {
        const onnx::AttributeProto* const groups = reader.attribute("group");
        return groups != nullptr && groups->i() > 1 ? LayerKind::grouped_convolution
                                                    : LayerKind::convolution;
    }
    if (name == "RNN" || name == "LSTM" || name == "GRU") {
        return LayerKind::recurrent;
    }
    return name != "Attention" && has_trained_weights(reader, graph) ? LayerKind::dense
                                                                     : LayerKind::attention;
}

// Trained numbers only ever go as floats; what is whole numbers computes shapes or places.
bool is_work(const NodeReader& reader, const OnnxGraph& graph) {
    const OnnxTensor* const output = graph.find(reader.first_output());
    return onnx_operator(reader.node().op_type()).role != OnnxRole::is_view &&
           !graph.is_parameter(reader.first_output()) &&
           (output == nullptr || output->holds_floats);
}

Expected<domain::Layer> to_layer(const NodeReader& reader, OnnxGraph& graph) {
    const auto count_mac = onnx_operator(reader.node().op_type()).mac;
    const Expected<Count> mac = count_mac == nullptr ? Count(0) : count_mac(reader);
    if (!mac) {
        return unexpected(mac.error());
    }
    const Expected<Shape> output = reader.output();
    if (!output) {
        return unexpected(output.error());
    }
    const Expected<Count> written = written_elements(reader, *output);
    if (!written) {
        return unexpected(written.error());
    }
    const Parameters parameters = count_parameters(reader.node(), graph);
    return domain::Layer{.name = {},
                         .type = type_of(reader, graph, *output),
                         .output = *output,
                         .kind = kind_of(reader, graph, *mac),
                         .mac = mac->value(),
                         .parameters = (parameters.weights + parameters.biases).value(),
                         .weights = (parameters.weights + parameters.computed).value(),
                         .activations = written->value()};
}

// What is computed of trained numbers alone is computed once a step, whatever the batch: only the
// numbers themselves are counted.
std::optional<domain::Layer> to_fixed_layer(const NodeReader& reader, OnnxGraph& graph) {
    const Parameters parameters = count_parameters(reader.node(), graph);
    const Count trained = parameters.weights + parameters.biases;
    if (trained == Count(0)) {
        return std::nullopt;
    }
    return domain::Layer{.name = {},
                         .type = "weights",
                         .output = reader.output().value_or(Shape()),
                         .parameters = trained.value(),
                         .weights = parameters.weights.value(),
                         .activations = 0};
}

}  // namespace

Expected<void> check_node(const NodeProto& node) {
    if (!node.domain().empty() && node.domain() != "ai.onnx") {
        return failure(fmt::format("operator {} of {} is not known; export the plain network",
                                   quoted(node.op_type()), quoted(node.domain())));
    }
    if (node.op_type() == "If") {
        return {};
    }
    if (!graphs_of(node).empty() ||
        onnx_operator(node.op_type()).role == OnnxRole::is_unsupported) {
        return failure(
            fmt::format("the work of operator {} cannot be counted; export the network "
                        "without it",
                        quoted(node.op_type())));
    }
    return {};
}

Expected<void> check_nodes(const Nodes& nodes) {
    for (const NodeProto& node : nodes) {
        if (const Expected<void> good = check_node(node); !good) {
            return unexpected(good.error().within("node " + quoted(node.name())));
        }
    }
    return {};
}

Expected<std::optional<domain::Layer>> read_node(const NodeProto& node, OnnxGraph& graph) {
    const NodeReader reader(node, graph);
    if (!is_work(reader, graph)) {
        return std::optional<domain::Layer>();
    }
    if (graph.is_fixed(reader.first_output())) {
        return to_fixed_layer(reader, graph);
    }
    return to_layer(reader, graph).map([](domain::Layer layer) {
        return std::optional<domain::Layer>(std::move(layer));
    });
}

}  // namespace hora::read
