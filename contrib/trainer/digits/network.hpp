// The network that is trained: two convolutions and a dense layer (digits.toml says the same).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contrib/trainer/digits/convolution.hpp"
#include "contrib/trainer/digits/digits.hpp"

namespace hora::trainer {

// All in double, so that the order in which ranks add up their gradients shows only in the last
// digits of the result.
class Network {
  public:
    using First = Convolution<image_side, 1, 8>;
    using Second = Convolution<image_side / 2, 8, 16>;
    static constexpr std::size_t features = std::tuple_size_v<Second::Output>;
    static constexpr std::size_t dense_weights = features * class_count;
    static constexpr std::size_t parameter_count =
        First::parameter_count + Second::parameter_count + dense_weights + class_count;

    // Weights drawn for the seed; biases 0.
    explicit Network(std::uint64_t seed);

    std::span<double, parameter_count> parameters() {
        return std::span<double, parameter_count>(parameters_);
    }

    // Adds the gradient of this sample's loss to `gradient` and returns the loss (cross entropy).
    double learn(const Digit& digit, std::span<double, parameter_count> gradient);
    // The most likely digit.
    std::size_t classify(const Digit& digit);

  private:
    using Scores = std::array<double, class_count>;

    void forward(const Digit& digit);
    void pool();
    void dense();
    void backward(const Scores& score_gradient, std::span<double, parameter_count> gradient);

    std::vector<double> parameters_;
    // What the forward pass leaves for the backward pass.
    First::Input image_{};
    First::Output first_{};
    std::array<std::size_t, std::tuple_size_v<First::Output> / 4> pooled_from_{};
    Second::Input pooled_{};
    Second::Output second_{};
    Scores scores_{};
};

}  // namespace hora::trainer
