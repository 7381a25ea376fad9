// Which operators of ONNX are known, and how is the work of each counted?
#include "libplanner/read/onnx/onnx_operator.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "libplanner/model/measure.hpp"
#include "libplanner/read/onnx/onnx_attention.hpp"
#include "libplanner/read/onnx/onnx_einsum.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using model::Count;
using model::Shape;

// Product of the extents from `first` on.
Count product_from(const Shape& shape, std::size_t first) {
    Count product(1);
    for (std::size_t i = first; i < shape.size(); ++i) {
        product *= Count(shape[i]);
    }
    return product;
}

// Every output element sums over the input channels of its group and the kernel.
Expected<Count> convolution_mac(const NodeReader& reader) {
    return reader.output().and_then([&](const Shape& output) {
        return reader.input(1).map([&](const Shape& weights) {
            return model::elements(output) * product_from(weights, 1);
        });
    });
}

// Every input element is multiplied with its group's output channels and the kernel.
Expected<Count> transposed_convolution_mac(const NodeReader& reader) {
    return reader.input(0).and_then([&](const Shape& input) {
        return reader.input(1).map([&](const Shape& weights) {
            return model::elements(input) * product_from(weights, 1);
        });
    });
}

Expected<Count> matrix_mac(const NodeReader& reader) {
    const onnx::AttributeProto* const transposed = reader.attribute("transA");
    const bool sums_over_first = transposed != nullptr && transposed->i() != 0;
    return reader.output().and_then([&](const Shape& output) {
        return reader.input(0).map([&](const Shape& left) {
            const Count inner(left.empty() ? 1 : sums_over_first ? left.front() : left.back());
            return model::elements(output) * inner;
        });
    });
}

// Each position multiplies with the input's weights and the state's.
Expected<Count> recurrent_mac(const NodeReader& reader) {
    const Expected<Shape> input = reader.input(0);
    const Expected<Shape> weights = reader.input(1);
    const Expected<Shape> recurrence = reader.input(2);
    for (const Expected<Shape>* const shape : {&input, &weights, &recurrence}) {
        if (!*shape) {
            return unexpected(shape->error());
        }
    }
    if (input->size() != 3) {
        return failure("its input needs three extents");
    }
    return Count((*input)[0]) * Count((*input)[1]) *
           (model::elements(*weights) + model::elements(*recurrence));
}

// "bhid,bhjd->bhij": one multiply-add for each combination of all labels.
Expected<Count> einsum_mac(const NodeReader& reader) {
    std::vector<Shape> inputs;
    for (int place = 0; place < reader.node().input_size(); ++place) {
        const Expected<Shape> shape = reader.input(place);
        if (!shape) {
            return unexpected(shape.error());
        }
        inputs.push_back(*shape);
    }
    return read_einsum(reader.node(), inputs).map([&](const Einsum& einsum) {
        Count product(inputs.size() < 2 ? 0 : 1);
        for (const auto& [label, extent] : einsum.extents) {
            product *= Count(extent);
        }
        return product;
    });
}

Expected<Count> attention_mac(const NodeReader& reader) {
    return attention_inputs(reader.node(), [&](int place) { return reader.input(place); })
        .and_then(
            [&](const AttentionInputs& inputs) { return read_attention(reader.node(), inputs); })
        .map(&Attention::mac);
}

using enum OnnxRole;

const std::vector<OnnxOperator> operators = {
    {"Conv", "conv", works, convolution_mac, {1}, {2}},
    {"ConvTranspose", "transposed_conv", works, transposed_convolution_mac, {1}, {2}},
    {"Gemm", "dense", works, matrix_mac, {0, 1}, {2}},
    {"MatMul", "dense", works, matrix_mac, {0, 1}},
    {"Einsum", "dense", works, einsum_mac, {0, 1, 2, 3}},
    {"RNN", "rnn", works, recurrent_mac, {1, 2}, {3}},
    {"LSTM", "lstm", works, recurrent_mac, {1, 2, 7}, {3}},
    {"GRU", "gru", works, recurrent_mac, {1, 2}, {3}},
    {"Attention", "attention", works, attention_mac, {0, 1, 2, 3}},
    {"BatchNormalization", "batch_norm", works, nullptr, {1, 2}},
    {"Gather", "embedding", works, nullptr, {0}},
    {"Loop", "", is_unsupported},
    {"Scan", "", is_unsupported},
    {"DeformConv", "", is_unsupported},
    {"ConvInteger", "", is_unsupported},
    {"MatMulInteger", "", is_unsupported},
    {"QLinearConv", "", is_unsupported},
    {"QLinearMatMul", "", is_unsupported},
    {"RotaryEmbedding", "element_wise", works},
    {"GroupNormalization", "group_norm"},
    {"InstanceNormalization", "instance_norm"},
    {"LayerNormalization", "layer_norm"},
    {"RMSNormalization", "rms_norm"},
    {"LRN", "local_response_norm"},
    {"Relu", "activation"},
    {"LeakyRelu", "activation"},
    {"PRelu", "activation"},
    {"Elu", "activation"},
    {"Selu", "activation"},
    {"Sigmoid", "activation"},
    {"HardSigmoid", "activation"},
    {"HardSwish", "activation"},
    {"Tanh", "activation"},
    {"Erf", "activation"},
    {"Gelu", "activation"},
    {"Mish", "activation"},
    {"Swish", "activation"},
    {"Softplus", "activation"},
    {"Softmax", "softmax"},
    {"LogSoftmax", "softmax"},
    {"MaxPool", "max_pool"},
    {"AveragePool", "average_pool"},
    {"GlobalAveragePool", "adaptive_pool"},
    {"GlobalMaxPool", "adaptive_pool"},
    {"Concat", "concatenation"},
    {"Clip", "activation", has_settings, nullptr, {0}},
    {"Resize", "resize", has_settings, nullptr, {0}},
    {"Upsample", "resize", has_settings, nullptr, {0}},
    {"Pad", "pad", has_settings, nullptr, {0}},
    {"Constant", "", is_view},
    {"ConstantOfShape", "", is_view},
    {"Dropout", "", is_view},
    {"Flatten", "", is_view},
    {"Identity", "", is_view},
    {"Reshape", "", is_view},
    {"Shape", "", is_view},
    {"Squeeze", "", is_view},
    {"Unsqueeze", "", is_view},
};

const OnnxOperator any_other{"", "element_wise"};

}  // namespace

Expected<Shape> NodeReader::input(int place) const {
    return place < node_.input_size() ? shape_of(node_.input(place))
                                      : failure(fmt::format("it has no input {}", place));
}

const std::string& NodeReader::first_output() const {
    static const std::string none;
    const auto& outputs = node_.output();
    const auto named = std::find_if(outputs.begin(), outputs.end(),
                                    [](const std::string& name) { return !name.empty(); });
    return named == outputs.end() ? none : *named;
}

Expected<Shape> NodeReader::shape_of(const std::string& name) const {
    const OnnxTensor* const tensor = graph_.find(name);
    if (tensor == nullptr || !tensor->shape) {
        return failure(fmt::format("the shape of {} cannot be inferred{}", quoted(name),
                                   graph_.why_unknown(name)));
    }
    return *tensor->shape;
}

const OnnxOperator& onnx_operator(std::string_view name) {
    const auto found = std::find_if(operators.begin(), operators.end(),
                                    [&](const OnnxOperator& known) { return known.name == name; });
    return found == operators.end() ? any_other : *found;
}

}  // namespace hora::read
