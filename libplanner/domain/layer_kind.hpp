// Of which kind is the arithmetic of a layer? What share of its peak a GPU attains depends on it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace hora::domain {

enum class LayerKind {
    memory,               // normalisation, activation, pooling: what it moves is what it takes
    convolution,          // each output channel reads every input channel
    grouped_convolution,  // reads those of its group, down to one (depthwise)
    dense,                // a product of two matrices
    attention,
    recurrent,  // one position after the other
};

struct LayerKindInfo {
    LayerKind kind;
    std::string_view name;
    char letter;  // in a workload's text (read/model/workload_text.hpp)
};

constexpr std::array<LayerKindInfo, 6> layer_kinds{{
    {LayerKind::memory, "memory", 'm'},
    {LayerKind::convolution, "convolution", 'c'},
    {LayerKind::grouped_convolution, "grouped_convolution", 'g'},
    {LayerKind::dense, "dense", 'd'},
    {LayerKind::attention, "attention", 'a'},
    {LayerKind::recurrent, "recurrent", 'r'},
}};

constexpr const LayerKindInfo& info(LayerKind kind) {
    return layer_kinds[static_cast<std::size_t>(kind)];
}

constexpr std::optional<LayerKind> layer_kind_lettered(char letter) {
    for (const LayerKindInfo& known : layer_kinds) {
        if (known.letter == letter) {
            return known.kind;
        }
    }
    return std::nullopt;
}

}  // namespace hora::domain
