// How many places does a sliding window find?
#pragma once

#include "libplanner/base/error.hpp"
#include "libplanner/model/layer_spec.hpp"

namespace hora::model {

struct Window {
    const Extents& kernel;
    const Extents& stride;
    const Extents& padding;
    const Extents& dilation;
};

// The output's extents, the channels first. Fails unless the input has channels and one to three
// further dimensions, every extent given is for as many, and the window fits.
Expected<Shape> slide(const Window& window, const Shape& input, std::uint64_t channels,
                      bool rounds_up);

// The other way round: the extents whose slide() gives the input.
Expected<Shape> spread(const Window& window, const Extents& output_padding, const Shape& input,
                       std::uint64_t channels);

}  // namespace hora::model
