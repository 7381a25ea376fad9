// What each kind of layer costs, before it has a name: shared by the files that know the formulae.
#pragma once

#include <span>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/layer_kind.hpp"
#include "libplanner/model/count.hpp"
#include "libplanner/model/layer_spec.hpp"

namespace hora::model {

struct Measured {
    std::string type;
    Shape output;
    domain::LayerKind kind = domain::LayerKind::memory;
    Count mac;
    Count parameters;
    Count weights;
    Count activations;
};

Count elements(const Shape& shape);
// "3 x 224 x 224", as messages show it.
std::string to_text(const Shape& shape);

Expected<Measured> measure(const Convolution& spec, const Shape& input);
Expected<Measured> measure(const TransposedConvolution& spec, const Shape& input);
Expected<Measured> measure(const Pooling& spec, const Shape& input);
Expected<Measured> measure(const AdaptivePooling& spec, const Shape& input);
Expected<Measured> measure(const Dense& spec, const Shape& input);
Expected<Measured> measure(const Embedding& spec, const Shape& input);
Expected<Measured> measure(const Recurrent& spec, const Shape& input);
// The sequence of the queries and, where it is another, that of the keys and values.
Expected<Measured> measure(const Attention& spec, std::span<const Shape> inputs);
Expected<Measured> measure(const Normalization& spec, const Shape& input);

}  // namespace hora::model
