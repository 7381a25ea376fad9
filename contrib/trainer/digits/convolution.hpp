// A 3 by 3 convolution that keeps the side of its input, forwards and backwards.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace hora::trainer {

// The input carries a border of zeros one pixel wide, so that no position is special; channels are
// innermost everywhere, so that the compiler can work on several at once.
template <std::size_t side, std::size_t in_channels, std::size_t out_channels>
struct Convolution {
    static constexpr std::size_t kernel = 3;
    static constexpr std::size_t bordered_side = side + kernel - 1;
    static constexpr std::size_t weight_count = kernel * kernel * in_channels * out_channels;
    static constexpr std::size_t parameter_count = weight_count + out_channels;

    using Input = std::array<double, bordered_side * bordered_side * in_channels>;
    using Output = std::array<double, side * side * out_channels>;
    using Parameters = std::span<const double, parameter_count>;  // weights, then biases

    static constexpr std::size_t input_index(std::size_t row, std::size_t column) {
        return (row * bordered_side + column) * in_channels;
    }
    static constexpr std::size_t output_index(std::size_t row, std::size_t column) {
        return (row * side + column) * out_channels;
    }

    static void forward(Parameters parameters, const Input& input, Output& output) {
        for (std::size_t position = 0; position < side * side; ++position) {
            std::array<double, out_channels> sum;
            for (std::size_t channel = 0; channel < out_channels; ++channel) {
                sum[channel] = parameters[weight_count + channel];
            }
            for_each_weight_row(position, [&](std::size_t from, std::size_t weight) {
                for (std::size_t channel = 0; channel < out_channels; ++channel) {
                    sum[channel] += parameters[weight + channel] * input[from];
                }
            });
            for (std::size_t channel = 0; channel < out_channels; ++channel) {
                output[position * out_channels + channel] = sum[channel];
            }
        }
    }

    // Adds to the gradient of the parameters.
    static void add_parameter_gradient(const Input& input, const Output& output_gradient,
                                       std::span<double, parameter_count> gradient) {
        for (std::size_t position = 0; position < side * side; ++position) {
            const double* const out = &output_gradient[position * out_channels];
            for_each_weight_row(position, [&](std::size_t from, std::size_t weight) {
                for (std::size_t channel = 0; channel < out_channels; ++channel) {
                    gradient[weight + channel] += input[from] * out[channel];
                }
            });
            for (std::size_t channel = 0; channel < out_channels; ++channel) {
                gradient[weight_count + channel] += out[channel];
            }
        }
    }

    // Overwrites the gradient of the input.
    static void input_gradient(Parameters parameters, const Output& output_gradient,
                               Input& gradient) {
        gradient.fill(0);
        for (std::size_t position = 0; position < side * side; ++position) {
            const double* const out = &output_gradient[position * out_channels];
            for_each_weight_row(position, [&](std::size_t from, std::size_t weight) {
                double sum = 0;
                for (std::size_t channel = 0; channel < out_channels; ++channel) {
                    sum += parameters[weight + channel] * out[channel];
                }
                gradient[from] += sum;
            });
        }
    }

  private:
    // Calls visit(input element, first of its out_channels weights) for all that one position sees.
    template <class Visit>
    static void for_each_weight_row(std::size_t position, Visit visit) {
        const std::size_t corner = input_index(position / side, position % side);
        std::size_t weight = 0;
        for (std::size_t row = 0; row < kernel; ++row) {
            const std::size_t first = corner + row * bordered_side * in_channels;
            for (std::size_t element = 0; element < kernel * in_channels; ++element) {
                visit(first + element, weight);
                weight += out_channels;
            }
        }
    }
};

}  // namespace hora::trainer
