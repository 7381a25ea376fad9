// How many places does a sliding window find?
#include "libplanner/model/window.hpp"

#include <fmt/core.h>

#include "libplanner/model/count.hpp"
#include "libplanner/model/measure.hpp"

namespace hora::model {
namespace {

// The numbers of one dimension.
struct Slide {
    std::uint64_t input;
    std::uint64_t kernel;
    std::uint64_t stride;
    std::uint64_t padding;
    std::uint64_t dilation;

    // Input elements that one place of the window spans.
    std::uint64_t span() const { return (Count(dilation) * Count(kernel - 1) + Count(1)).value(); }
};

Expected<void> check_rank(const Window& window, const Shape& input) {
    if (input.size() < 2 || input.size() > 4) {
        return failure(
            fmt::format("it needs channels and one to three further dimensions, but comes after {}",
                        to_text(input)));
    }
    for (const Extents* extents :
         {&window.kernel, &window.stride, &window.padding, &window.dilation}) {
        if (!extents->covers(input.size() - 1)) {
            return failure(fmt::format("kernel, stride, padding and dilation take one number or {}",
                                       input.size() - 1));
        }
    }
    return {};
}

Expected<Slide> slide_of(const Window& window, const Shape& input, std::size_t dimension) {
    const Slide slide{.input = input[dimension + 1],
                      .kernel = window.kernel.at(dimension),
                      .stride = window.stride.at(dimension),
                      .padding = window.padding.at(dimension),
                      .dilation = window.dilation.at(dimension)};
    if (slide.kernel == 0 || slide.stride == 0 || slide.dilation == 0) {
        return failure("kernel, stride and dilation are at least 1");
    }
    return slide;
}

Expected<std::uint64_t> places(const Slide& slide, bool rounds_up) {
    const std::uint64_t padded =
        (Count(slide.input) + Count(slide.padding) + Count(slide.padding)).value();
    if (slide.span() > padded) {
        return failure(fmt::format("a window over {} does not fit into {} with padding {}",
                                   slide.span(), slide.input, slide.padding));
    }
    const std::uint64_t rest = padded - slide.span();
    std::uint64_t result = rest / slide.stride + 1;
    // A window that starts in the padding behind the input is left out, as PyTorch does.
    if (rounds_up && rest % slide.stride != 0 &&
        Count(result) * Count(slide.stride) < Count(slide.input) + Count(slide.padding)) {
        ++result;
    }
    return result;
}

// output = (input - 1) stride - 2 padding + span + output padding
Expected<std::uint64_t> spread_one(const Slide& slide, std::uint64_t output_padding) {
    const std::uint64_t reached =
        (Count(slide.input - 1) * Count(slide.stride) + Count(slide.span()) + Count(output_padding))
            .value();
    const std::uint64_t cut = (Count(slide.padding) + Count(slide.padding)).value();
    if (reached <= cut) {
        return failure(fmt::format("padding {} leaves nothing of {}", slide.padding, reached));
    }
    return reached - cut;
}

}  // namespace

Expected<Shape> slide(const Window& window, const Shape& input, std::uint64_t channels,
                      bool rounds_up) {
    if (const Expected<void> checked = check_rank(window, input); !checked) {
        return unexpected(checked.error());
    }
    Shape output{channels};
    for (std::size_t dimension = 0; dimension + 1 < input.size(); ++dimension) {
        const Expected<std::uint64_t> extent =
            slide_of(window, input, dimension).and_then([&](const Slide& one) {
                return places(one, rounds_up);
            });
        if (!extent) {
            return unexpected(extent.error());
        }
        output.push_back(*extent);
    }
    return output;
}

Expected<Shape> spread(const Window& window, const Extents& output_padding, const Shape& input,
                       std::uint64_t channels) {
    if (const Expected<void> checked = check_rank(window, input); !checked) {
        return unexpected(checked.error());
    }
    if (!output_padding.covers(input.size() - 1)) {
        return failure(fmt::format("output_padding takes one number or {}", input.size() - 1));
    }
    Shape output{channels};
    for (std::size_t dimension = 0; dimension + 1 < input.size(); ++dimension) {
        const Expected<std::uint64_t> extent =
            slide_of(window, input, dimension).and_then([&](const Slide& one) {
                return spread_one(one, output_padding.at(dimension));
            });
        if (!extent) {
            return unexpected(extent.error());
        }
        output.push_back(*extent);
    }
    return output;
}

}  // namespace hora::model
