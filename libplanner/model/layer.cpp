// What does one layer cost, given what comes in?
#include "libplanner/model/layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "libplanner/model/measure.hpp"

namespace hora::model {
namespace {

// A layer that only writes its output, as P1 counts activation, LRN and pooling.
Measured writes(std::string type, Shape output) {
    const Count count = elements(output);
    return {.type = std::move(type),
            .output = std::move(output),
            .kind = {},
            .mac = {},
            .parameters = {},
            .weights = {},
            .activations = count};
}

Expected<Measured> combine(std::span<const Shape> inputs) {
    Shape output = inputs[0];
    for (const Shape& input : inputs.subspan(1)) {
        if (input.size() != output.size()) {
            return failure(
                fmt::format("its inputs {} and {} do not match", to_text(output), to_text(input)));
        }
        for (std::size_t i = 0; i < output.size(); ++i) {
            if (input[i] != output[i] && input[i] != 1 && output[i] != 1) {
                return failure(fmt::format("its inputs {} and {} do not match", to_text(output),
                                           to_text(input)));
            }
            output[i] = std::max(output[i], input[i]);
        }
    }
    return writes("element_wise", std::move(output));
}

Expected<Measured> concatenate(const Concatenation& spec, std::span<const Shape> inputs) {
    Shape output = inputs[0];
    if (spec.axis >= output.size()) {
        return failure(fmt::format("axis = {} is not one of {}", spec.axis, to_text(output)));
    }
    for (const Shape& input : inputs.subspan(1)) {
        Shape expected = output;
        if (input.size() == output.size()) {
            expected[spec.axis] = input[spec.axis];
        }
        if (input != expected) {
            return failure(fmt::format("its inputs {} and {} differ beside axis {}",
                                       to_text(output), to_text(input), spec.axis));
        }
        output[spec.axis] = (Count(output[spec.axis]) + Count(input[spec.axis])).value();
    }
    return writes("concatenation", std::move(output));
}

// One input for most kinds, several for some.
struct Measurer {
    std::span<const Shape> inputs;

    Expected<Measured> operator()(const Activation&) const {
        return writes("activation", inputs[0]);
    }
    Expected<Measured> operator()(const Softmax&) const { return writes("softmax", inputs[0]); }
    Expected<Measured> operator()(const ElementWise&) const { return combine(inputs); }
    Expected<Measured> operator()(const Concatenation& spec) const {
        return concatenate(spec, inputs);
    }
    Expected<Measured> operator()(const Attention& spec) const { return measure(spec, inputs); }
    Expected<Measured> operator()(const Flatten&) const {
        Measured view = writes("flatten", {elements(inputs[0]).value()});
        view.activations = Count(0);
        return view;
    }
    template <class Spec>
    Expected<Measured> operator()(const Spec& spec) const {
        return measure(spec, inputs[0]);
    }
};

bool takes(const LayerSpec& spec, std::size_t inputs) {
    if (std::holds_alternative<ElementWise>(spec) || std::holds_alternative<Concatenation>(spec)) {
        return inputs > 0;
    }
    return inputs == 1 || (inputs == 2 && std::holds_alternative<Attention>(spec));
}

bool is_within_bounds(const Measured& measured) {
    return measured.mac <= Count(max_network_mac) &&
           std::max({measured.parameters, measured.weights, measured.activations,
                     elements(measured.output)}) <= Count(max_network_elements);
}

Expected<domain::Layer> to_layer(std::string name, Measured measured) {
    if (!is_within_bounds(measured)) {
        return failure(
            fmt::format("layer \"{}\": it is larger than any machine could train", name));
    }
    if (elements(measured.output) == Count(0)) {
        return failure(
            fmt::format("layer \"{}\": its output {} is empty", name, to_text(measured.output)));
    }
    return domain::Layer{.name = std::move(name),
                         .type = std::move(measured.type),
                         .output = std::move(measured.output),
                         .kind = measured.kind,
                         .mac = measured.mac.value(),
                         .parameters = measured.parameters.value(),
                         .weights = measured.weights.value(),
                         .activations = measured.activations.value()};
}

}  // namespace

Count elements(const Shape& shape) {
    Count product(1);
    for (const std::uint64_t extent : shape) {
        product *= Count(extent);
    }
    return product;
}

std::string to_text(const Shape& shape) {
    return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, " x "));
}

Expected<Measured> measure(const Dense& spec, const Shape& input) {
    if (spec.width == 0) {
        return failure("width is at least 1");
    }
    if (input.empty()) {
        return failure("it needs at least one dimension to work on");
    }
    Shape output = input;
    output.back() = spec.width;
    const Count weights = Count(input.back()) * Count(spec.width);
    const Count biases(spec.has_bias ? spec.width : 0);
    return Measured{.type = "dense",
                    .output = output,
                    .kind = domain::LayerKind::dense,
                    .mac = elements(output) * Count(input.back()),
                    .parameters = spec.is_tied ? biases : weights + biases,
                    .weights = weights,
                    .activations = elements(output)};
}

Expected<Measured> measure(const Normalization& spec, const Shape& input) {
    if (input.empty()) {
        return failure("it needs at least one dimension to work on");
    }
    if (spec.kind == NormalizationKind::local_response) {
        return writes("local_response_norm", input);
    }
    const bool is_batch = spec.kind == NormalizationKind::batch;
    const bool is_shifted = spec.kind != NormalizationKind::root_mean_square;
    Measured measured =
        writes(is_batch ? "batch_norm" : (is_shifted ? "layer_norm" : "rms_norm"), input);
    if (spec.has_parameters) {
        measured.weights =
            Count(is_shifted ? 2 : 1) * Count(is_batch ? input.front() : input.back());
        measured.parameters = measured.weights;
    }
    return measured;
}

Expected<domain::Layer> make_layer(std::string name, const LayerSpec& spec,
                                   std::span<const Shape> inputs) {
    if (!takes(spec, inputs.size())) {
        return failure(fmt::format("layer \"{}\": it takes one input{}, not {}", name,
                                   std::holds_alternative<Attention>(spec) ? " or two" : "",
                                   inputs.size()));
    }
    Expected<Measured> measured = std::visit(Measurer{inputs}, spec);
    if (!measured) {
        return unexpected(measured.error().within(fmt::format("layer \"{}\"", name)));
    }
    return to_layer(std::move(name), std::move(*measured));
}

Expected<domain::Layer> make_input(const Shape& shape) {
    return to_layer("input", writes("input", shape));
}

bool is_view(const LayerSpec& spec) {
    return std::holds_alternative<Flatten>(spec);
}

Expected<void> check_sums(const domain::Network& network) {
    Count mac;
    Count parameters;
    Count weights;
    Count activations;
    for (const domain::Layer& layer : network.layers) {
        mac += Count(layer.mac);
        parameters += Count(layer.parameters);
        weights += Count(layer.weights);
        activations += Count(layer.activations);
    }
    if (mac > Count(max_network_mac) ||
        std::max({parameters, weights, activations}) > Count(max_network_elements)) {
        return failure(
            fmt::format("network \"{}\" is larger than any machine could train", network.name));
    }
    return {};
}

}  // namespace hora::model
