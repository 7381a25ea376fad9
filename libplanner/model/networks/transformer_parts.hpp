// What have the transformers in common?
#pragma once

#include <string>

#include "libplanner/model/network_builder.hpp"

namespace hora::model {

struct Transformer {
    std::uint64_t layers;  // of each side, where there are an encoder and a decoder
    std::uint64_t width;
    std::uint64_t heads;
};

inline const Normalization layer_norm{.kind = NormalizationKind::layer};
inline const Normalization rms_norm{.kind = NormalizationKind::root_mean_square};

// Two dense layers, the one between four times as wide.
void add_feed_forward(NetworkBuilder& net, const std::string& name, std::uint64_t width);

// The layers "layer1", "layer2" ... that normalise before each branch, and the normalisation of
// their sum.
void add_prenormalized_layers(NetworkBuilder& net, const Transformer& size);

}  // namespace hora::model
