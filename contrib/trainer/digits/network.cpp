// The network that is trained: forward and backward pass of one sample.
#include "contrib/trainer/digits/network.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace hora::trainer {
namespace {

constexpr std::size_t second_at = Network::First::parameter_count;
constexpr std::size_t dense_at = second_at + Network::Second::parameter_count;
constexpr std::size_t dense_bias_at = dense_at + Network::dense_weights;

template <std::size_t at, std::size_t count>
auto part(auto parameters) {
    return parameters.template subspan<at, count>();
}
auto first_part(auto parameters) {
    return part<0, Network::First::parameter_count>(parameters);
}
auto second_part(auto parameters) {
    return part<second_at, Network::Second::parameter_count>(parameters);
}

// Uniform in ±sqrt(6 / inputs) (He et al.), drawn from the generator's own bits because the
// distributions of the standard library differ between implementations.
void draw(std::span<double> weights, std::size_t inputs, std::mt19937_64& random) {
    const double bound = std::sqrt(6.0 / static_cast<double>(inputs));
    for (double& weight : weights) {
        const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
        weight = (2 * unit - 1) * bound;
    }
}

void rectify(std::span<double> values) {
    for (double& value : values) {
        value = std::max(value, 0.0);
    }
}

// The gradient passes where the rectified value did.
void mask(std::span<double> gradient, std::span<const double> rectified) {
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        gradient[i] = rectified[i] > 0 ? gradient[i] : 0.0;
    }
}

}  // namespace

Network::Network(std::uint64_t seed) : parameters_(parameter_count, 0.0) {
    std::mt19937_64 random(seed);
    const std::span<double> all = parameters_;
    draw(all.subspan(0, First::weight_count), 9, random);
    draw(all.subspan(second_at, Second::weight_count), 9 * 8, random);
    draw(all.subspan(dense_at, dense_weights), features, random);
}

void Network::forward(const Digit& digit) {
    for (std::size_t row = 0; row < image_side; ++row) {
        std::copy_n(&digit.pixels[row * image_side], image_side,
                    &image_[First::input_index(row + 1, 1)]);
    }
    const std::span<const double, parameter_count> parameters(parameters_);
    First::forward(first_part(parameters), image_, first_);
    rectify(first_);
    pool();
    Second::forward(second_part(parameters), pooled_, second_);
    rectify(second_);
    dense();
}

// The largest of each 2 by 2, remembering which one it was.
void Network::pool() {
    constexpr std::size_t channels = 8;
    constexpr std::size_t side = image_side / 2;
    std::size_t output = 0;
    for (std::size_t row = 0; row < side; ++row) {
        for (std::size_t column = 0; column < side; ++column) {
            for (std::size_t channel = 0; channel < channels; ++channel, ++output) {
                const std::size_t corner = First::output_index(2 * row, 2 * column) + channel;
                std::size_t best = corner;
                for (const std::size_t other :
                     {corner + channels, corner + First::output_index(1, 0),
                      corner + First::output_index(1, 1)}) {
                    best = first_[other] > first_[best] ? other : best;
                }
                pooled_from_[output] = best;
                pooled_[Second::input_index(row + 1, column + 1) + channel] = first_[best];
            }
        }
    }
}

void Network::dense() {
    std::copy_n(&parameters_[dense_bias_at], class_count, scores_.begin());
    for (std::size_t feature = 0; feature < features; ++feature) {
        const double* const weights = &parameters_[dense_at + feature * class_count];
        for (std::size_t digit = 0; digit < class_count; ++digit) {
            scores_[digit] += weights[digit] * second_[feature];
        }
    }
}

double Network::learn(const Digit& digit, std::span<double, parameter_count> gradient) {
    forward(digit);
    const double largest = *std::max_element(scores_.begin(), scores_.end());
    Scores likelihood{};
    double sum = 0;
    for (std::size_t i = 0; i < class_count; ++i) {
        likelihood[i] = std::exp(scores_[i] - largest);
        sum += likelihood[i];
    }
    const double loss = std::log(sum) + largest - scores_[digit.label];
    for (double& value : likelihood) {
        value /= sum;
    }
    likelihood[digit.label] -= 1;  // softmax and cross entropy together: p - y
    backward(likelihood, gradient);
    return loss;
}

void Network::backward(const Scores& score_gradient, std::span<double, parameter_count> gradient) {
    const std::span<const double, parameter_count> parameters(parameters_);
    Second::Output second_gradient;
    for (std::size_t feature = 0; feature < features; ++feature) {
        const std::size_t row = dense_at + feature * class_count;
        double sum = 0;
        for (std::size_t digit = 0; digit < class_count; ++digit) {
            gradient[row + digit] += second_[feature] * score_gradient[digit];
            sum += parameters_[row + digit] * score_gradient[digit];
        }
        second_gradient[feature] = sum;
    }
    for (std::size_t digit = 0; digit < class_count; ++digit) {
        gradient[dense_bias_at + digit] += score_gradient[digit];
    }
    mask(second_gradient, second_);
    Second::add_parameter_gradient(pooled_, second_gradient, second_part(gradient));

    Second::Input pooled_gradient;
    Second::input_gradient(second_part(parameters), second_gradient, pooled_gradient);
    First::Output first_gradient{};
    constexpr std::size_t channels = 8;
    for (std::size_t output = 0; output < pooled_from_.size(); ++output) {
        const std::size_t position = output / channels;
        const std::size_t side = image_side / 2;
        const std::size_t at = Second::input_index(position / side + 1, position % side + 1);
        first_gradient[pooled_from_[output]] += pooled_gradient[at + output % channels];
    }
    mask(first_gradient, first_);
    First::add_parameter_gradient(image_, first_gradient, first_part(gradient));
}

std::size_t Network::classify(const Digit& digit) {
    forward(digit);
    return static_cast<std::size_t>(std::max_element(scores_.begin(), scores_.end()) -
                                    scores_.begin());
}

}  // namespace hora::trainer
