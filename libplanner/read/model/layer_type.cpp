// Which kind of layer does a row of a layer table describe, and with which keys?
#include "libplanner/read/model/layer_type.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using model::Extents;
using model::LayerSpec;

constexpr std::size_t max_extents = 3;  // spatial dimensions

bool take_extents(TomlTable& table, std::string_view key, Extents& extents) {
    std::vector<std::uint64_t> values;
    if (!table.take(key, values)) {
        return false;
    }
    if (values.empty() || values.size() > max_extents) {
        table.reject(key, fmt::format("\"{}\" has 1 to {} numbers", key, max_extents));
        return false;
    }
    extents = Extents(std::move(values));
    return true;
}

void require_extents(TomlTable& table, std::string_view key, Extents& extents) {
    std::vector<std::uint64_t> values;
    if (table.require(key, values)) {
        take_extents(table, key, extents);
    }
}

template <class Spec>
void take_convolution(TomlTable& table, Spec& spec) {
    table.require("channels", spec.channels);
    require_extents(table, "kernel", spec.kernel);
    take_extents(table, "stride", spec.stride);
    take_extents(table, "padding", spec.padding);
    take_extents(table, "dilation", spec.dilation);
    table.take("groups", spec.groups);
    table.take("bias", spec.has_bias);
}

LayerSpec convolution(TomlTable& table) {
    model::Convolution spec;
    take_convolution(table, spec);
    return spec;
}

LayerSpec transposed_convolution(TomlTable& table) {
    model::TransposedConvolution spec;
    take_convolution(table, spec);
    take_extents(table, "output_padding", spec.output_padding);
    return spec;
}

LayerSpec dense(TomlTable& table) {
    model::Dense spec;
    table.require("width", spec.width);
    table.take("bias", spec.has_bias);
    return spec;
}

LayerSpec embedding(TomlTable& table) {
    model::Embedding spec;
    table.require("vocabulary", spec.vocabulary);
    table.require("width", spec.width);
    return spec;
}

template <model::RecurrentKind kind>
LayerSpec recurrent(TomlTable& table) {
    model::Recurrent spec{.kind = kind};
    table.require("width", spec.width);
    table.take("layers", spec.layers);
    table.take("bidirectional", spec.is_bidirectional);
    table.take("bias", spec.has_bias);
    return spec;
}

LayerSpec attention(TomlTable& table) {
    model::Attention spec;
    table.require("heads", spec.heads);
    table.take("key_value_heads", spec.key_value_heads);
    table.take("bias", spec.has_bias);
    table.take("fused", spec.is_fused);
    return spec;
}

template <model::NormalizationKind kind>
LayerSpec normalization(TomlTable& table) {
    model::Normalization spec{.kind = kind};
    if constexpr (kind != model::NormalizationKind::local_response) {
        table.take("parameters", spec.has_parameters);
    }
    return spec;
}

template <model::PoolingKind kind>
LayerSpec pooling(TomlTable& table) {
    model::Pooling spec{.kind = kind};
    require_extents(table, "kernel", spec.kernel);
    Extents stride = spec.kernel;
    take_extents(table, "stride", stride);
    spec.stride = stride;
    take_extents(table, "padding", spec.padding);
    take_extents(table, "dilation", spec.dilation);
    table.take("ceil", spec.rounds_up);
    return spec;
}

LayerSpec adaptive_pooling(TomlTable& table) {
    model::AdaptivePooling spec;
    require_extents(table, "output", spec.output);
    return spec;
}

LayerSpec concatenation(TomlTable& table) {
    std::uint64_t axis = 0;
    table.take("axis", axis);
    return model::Concatenation{.axis = axis};
}

template <class Spec>
LayerSpec without_keys(TomlTable&) {
    return Spec{};
}

struct LayerType {
    std::string_view name;
    LayerSpec (*take)(TomlTable& table);
};

constexpr std::array types = {
    LayerType{"conv1d", convolution},
    LayerType{"conv2d", convolution},
    LayerType{"conv3d", convolution},
    LayerType{"transposed_conv1d", transposed_convolution},
    LayerType{"transposed_conv2d", transposed_convolution},
    LayerType{"transposed_conv3d", transposed_convolution},
    LayerType{"dense", dense},
    LayerType{"embedding", embedding},
    LayerType{"rnn", recurrent<model::RecurrentKind::rnn>},
    LayerType{"lstm", recurrent<model::RecurrentKind::lstm>},
    LayerType{"gru", recurrent<model::RecurrentKind::gru>},
    LayerType{"attention", attention},
    LayerType{"batch_norm", normalization<model::NormalizationKind::batch>},
    LayerType{"layer_norm", normalization<model::NormalizationKind::layer>},
    LayerType{"rms_norm", normalization<model::NormalizationKind::root_mean_square>},
    LayerType{"local_response_norm", normalization<model::NormalizationKind::local_response>},
    LayerType{"activation", without_keys<model::Activation>},
    LayerType{"max_pool", pooling<model::PoolingKind::max>},
    LayerType{"average_pool", pooling<model::PoolingKind::average>},
    LayerType{"adaptive_pool", adaptive_pooling},
    LayerType{"element_wise", without_keys<model::ElementWise>},
    LayerType{"softmax", without_keys<model::Softmax>},
    LayerType{"concatenation", concatenation},
    LayerType{"flatten", without_keys<model::Flatten>},
};

constexpr auto names = [] {
    std::array<std::string_view, types.size()> result;
    std::transform(types.begin(), types.end(), result.begin(),
                   [](const LayerType& type) { return type.name; });
    return result;
}();

}  // namespace

std::optional<TypedSpec> take_layer_type(TomlTable& table) {
    std::string name;
    if (!table.require("type", name)) {
        return std::nullopt;
    }
    const auto type = std::find_if(types.begin(), types.end(),
                                   [&](const LayerType& known) { return known.name == name; });
    if (type == types.end()) {
        table.reject("type", fmt::format("unknown layer type {}{}", quoted(name),
                                         did_you_mean(name, names)));
        return std::nullopt;
    }
    return TypedSpec{type->name, type->take(table)};
}

}  // namespace hora::read
