// What do the layers cost that slide a window over channels?
#include <fmt/core.h>

#include "libplanner/model/measure.hpp"
#include "libplanner/model/window.hpp"

namespace hora::model {
namespace {

Expected<void> check_groups(std::uint64_t groups, std::uint64_t in, std::uint64_t out) {
    if (out == 0) {
        return failure("channels is at least 1");
    }
    if (groups == 0 || in % groups != 0 || out % groups != 0) {
        return failure(fmt::format("groups = {} does not divide {} input and {} output channels",
                                   groups, in, out));
    }
    return {};
}

Count kernel_elements(const Extents& kernel, std::size_t rank) {
    Count product(1);
    for (std::size_t dimension = 0; dimension < rank; ++dimension) {
        product *= Count(kernel.at(dimension));
    }
    return product;
}

domain::LayerKind kind_of(std::uint64_t groups) {
    return groups == 1 ? domain::LayerKind::convolution : domain::LayerKind::grouped_convolution;
}

std::string with_rank(std::string_view name, const Shape& input) {
    return fmt::format("{}{}d", name, input.size() - 1);
}

}  // namespace

// P1: W = K^2 C_in H_out W_out C_out / groups, weights K^2 C_in C_out / groups.
Expected<Measured> measure(const Convolution& spec, const Shape& input) {
    const Expected<Shape> output =
        slide({spec.kernel, spec.stride, spec.padding, spec.dilation}, input, spec.channels, false);
    if (!output) {
        return unexpected(output.error());
    }
    if (const Expected<void> checked = check_groups(spec.groups, input[0], spec.channels);
        !checked) {
        return unexpected(checked.error());
    }
    const Count window =
        kernel_elements(spec.kernel, input.size() - 1) * Count(input[0] / spec.groups);
    const Count weights = window * Count(spec.channels);
    return Measured{.type = with_rank("conv", input),
                    .output = *output,
                    .kind = kind_of(spec.groups),
                    .mac = window * elements(*output),
                    .parameters = weights + Count(spec.has_bias ? spec.channels : 0),
                    .weights = weights,
                    .activations = elements(*output)};
}

// Every input element is multiplied with the whole kernel of its group's output channels.
Expected<Measured> measure(const TransposedConvolution& spec, const Shape& input) {
    const Expected<Shape> output = spread({spec.kernel, spec.stride, spec.padding, spec.dilation},
                                          spec.output_padding, input, spec.channels);
    if (!output) {
        return unexpected(output.error());
    }
    if (const Expected<void> checked = check_groups(spec.groups, input[0], spec.channels);
        !checked) {
        return unexpected(checked.error());
    }
    const Count window =
        kernel_elements(spec.kernel, input.size() - 1) * Count(spec.channels / spec.groups);
    const Count weights = window * Count(input[0]);
    return Measured{.type = with_rank("transposed_conv", input),
                    .output = *output,
                    .kind = kind_of(spec.groups),
                    .mac = window * elements(input),
                    .parameters = weights + Count(spec.has_bias ? spec.channels : 0),
                    .weights = weights,
                    .activations = elements(*output)};
}

Expected<Measured> measure(const Pooling& spec, const Shape& input) {
    const Expected<Shape> output =
        slide({spec.kernel, spec.stride.value_or(spec.kernel), spec.padding, spec.dilation}, input,
              input.empty() ? 0 : input[0], spec.rounds_up);
    if (!output) {
        return unexpected(output.error());
    }
    return Measured{.type = spec.kind == PoolingKind::max ? "max_pool" : "average_pool",
                    .output = *output,
                    .kind = {},
                    .mac = {},
                    .parameters = {},
                    .weights = {},
                    .activations = elements(*output)};
}

Expected<Measured> measure(const AdaptivePooling& spec, const Shape& input) {
    if (input.size() < 2 || !spec.output.covers(input.size() - 1)) {
        return failure(fmt::format("its output does not suit {}", to_text(input)));
    }
    Shape output{input[0]};
    for (std::size_t dimension = 0; dimension + 1 < input.size(); ++dimension) {
        output.push_back(spec.output.at(dimension));
    }
    return Measured{.type = "adaptive_pool",
                    .output = output,
                    .kind = {},
                    .mac = {},
                    .parameters = {},
                    .weights = {},
                    .activations = elements(output)};
}

}  // namespace hora::model
