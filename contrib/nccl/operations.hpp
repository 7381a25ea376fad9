// What does one thread of a kernel compute? One element of an array each, by the same functions on
// a GPU and on a CPU.
#pragma once

#include <cmath>
#include <cstddef>

#include "contrib/trainer/digits/network.hpp"
#include "contrib/trainer/optimiser.hpp"

// CUDA has no other way to say that a function is for both.
#ifdef __CUDACC__
#define HORA_ON_BOTH __host__ __device__
#else
#define HORA_ON_BOTH
#endif

namespace hora::trainer::operations {

using First = Network::First;
using Second = Network::Second;

constexpr std::size_t first_channels = 8;
constexpr std::size_t second_channels = 16;
constexpr std::size_t pooled_side = image_side / 2;

// Elements of one sample in each array of a batch; samples stand one behind the other.
constexpr std::size_t image_elements = First::bordered_side * First::bordered_side;
constexpr std::size_t first_elements = image_size * first_channels;
constexpr std::size_t pool_elements = pooled_side * pooled_side * first_channels;
constexpr std::size_t pooled_elements =
    Second::bordered_side * Second::bordered_side * first_channels;
constexpr std::size_t second_elements = pooled_side * pooled_side * second_channels;
static_assert(second_elements == Network::features);

// Where each layer's parameters begin, as in the network on a CPU.
constexpr std::size_t second_at = First::parameter_count;
constexpr std::size_t dense_at = second_at + Second::parameter_count;
constexpr std::size_t dense_bias_at = dense_at + Network::dense_weights;

// A convolution and the geometry of its arrays.
template <class Layer, std::size_t side_, std::size_t in_, std::size_t out_>
struct Shape {
    static constexpr std::size_t side = side_;
    static constexpr std::size_t in = in_;
    static constexpr std::size_t out = out_;
    static constexpr std::size_t kernel = Layer::kernel;
    static constexpr std::size_t bordered = Layer::bordered_side;
    static constexpr std::size_t weights = Layer::weight_count;
    static constexpr std::size_t parameters = Layer::parameter_count;
    static constexpr std::size_t input_elements = bordered * bordered * in;
    static constexpr std::size_t output_elements = side * side * out;
};
using FirstShape = Shape<First, image_side, 1, first_channels>;
using SecondShape = Shape<Second, pooled_side, first_channels, second_channels>;

// The place in the bordered input of what a weight of an output position sees.
template <class S>
HORA_ON_BOTH constexpr std::size_t seen_at(std::size_t position, std::size_t weight) {
    const std::size_t from = weight / S::out;
    const std::size_t row = position / S::side + from / (S::kernel * S::in);
    return (row * S::bordered + position % S::side) * S::in + from % (S::kernel * S::in);
}

// Puts images within a border of zeros, which must stand there already.
struct LoadImages {
    const double* pixels;  // of all images
    const std::size_t* samples;
    double* images;

    HORA_ON_BOTH void operator()(std::size_t i) const {
        const std::size_t sample = i / image_size;
        const std::size_t pixel = i % image_size;
        const std::size_t at =
            (pixel / image_side + 1) * First::bordered_side + pixel % image_side + 1;
        images[sample * image_elements + at] = pixels[samples[sample] * image_size + pixel];
    }
};

// An output element of a convolution, rectified.
template <class S>
struct Convolve {
    const double* parameters;
    const double* inputs;
    double* outputs;

    HORA_ON_BOTH void operator()(std::size_t i) const {
        const std::size_t position = i % S::output_elements / S::out;
        const std::size_t channel = i % S::out;
        const double* const input = inputs + i / S::output_elements * S::input_elements;
        double sum = parameters[S::weights + channel];
        for (std::size_t weight = channel; weight < S::weights; weight += S::out) {
            sum += parameters[weight] * input[seen_at<S>(position, weight)];
        }
        outputs[i] = sum > 0 ? sum : 0;
    }
};

// The largest of each 2 by 2, and which one it was.
struct Pool {
    const double* firsts;
    double* pooled;
    std::size_t* pooled_from;

    HORA_ON_BOTH void operator()(std::size_t i) const {
        const std::size_t sample = i / pool_elements;
        const std::size_t channel = i % first_channels;
        const std::size_t row = i % pool_elements / first_channels / pooled_side;
        const std::size_t column = i / first_channels % pooled_side;
        const double* const first = firsts + sample * first_elements;
        std::size_t best = (2 * row * image_side + 2 * column) * first_channels + channel;
        const std::size_t corner = best;
        for (std::size_t other = 1; other < 4; ++other) {
            const std::size_t at = corner + (other / 2 * image_side + other % 2) * first_channels;
            best = first[at] > first[best] ? at : best;
        }
        pooled_from[i] = best;
        pooled[sample * pooled_elements +
               ((row + 1) * Second::bordered_side + column + 1) * first_channels + channel] =
            first[best];
    }
};

struct Score {
    const double* parameters;
    const double* seconds;
    double* scores;

    HORA_ON_BOTH void operator()(std::size_t i) const {
        const std::size_t digit = i % class_count;
        const double* const second = seconds + i / class_count * second_elements;
        double sum = parameters[dense_bias_at + digit];
        for (std::size_t feature = 0; feature < second_elements; ++feature) {
            sum += parameters[dense_at + feature * class_count + digit] * second[feature];
        }
        scores[i] = sum;
    }
};

// A sample's loss (cross entropy of the softmax), and its gradient p − y in place of the scores.
struct Lose {
    const std::size_t* labels;  // of all images
    const std::size_t* samples;
    double* scores;
    double* losses;

    HORA_ON_BOTH void operator()(std::size_t sample) const {
        double* const own = scores + sample * class_count;
        const std::size_t label = labels[samples[sample]];
        const double right = own[label];
        double largest = own[0];
        for (std::size_t digit = 1; digit < class_count; ++digit) {
            largest = own[digit] > largest ? own[digit] : largest;
        }
        double sum = 0;
        for (std::size_t digit = 0; digit < class_count; ++digit) {
            own[digit] = std::exp(own[digit] - largest);
            sum += own[digit];
        }
        losses[sample] = std::log(sum) + largest - right;
        for (std::size_t digit = 0; digit < class_count; ++digit) {
            own[digit] = own[digit] / sum - (digit == label ? 1 : 0);
        }
    }
};

// Whether the most likely digit is the right one.
struct Recognise {
    const std::size_t* labels;
    const std::size_t* samples;
    const double* scores;
    double* is_right;

    HORA_ON_BOTH void operator()(std::size_t sample) const {
        const double* const own = scores + sample * class_count;
        std::size_t best = 0;
        for (std::size_t digit = 1; digit < class_count; ++digit) {
            best = own[digit] > own[best] ? digit : best;
        }
        is_right[sample] = best == labels[samples[sample]] ? 1 : 0;
    }
};

// The gradient of a feature, where the rectified feature let it pass.
struct FeatureGradient {
    const double* parameters;
    const double* score_gradients;
    const double* seconds;
    double* gradients;

    HORA_ON_BOTH void operator()(std::size_t i) const {
        const std::size_t feature = i % second_elements;
        const double* const own = score_gradients + i / second_elements * class_count;
        double sum = 0;
        for (std::size_t digit = 0; digit < class_count; ++digit) {
            sum += parameters[dense_at + feature * class_count + digit] * own[digit];
        }
        gradients[i] = seconds[i] > 0 ? sum : 0;
    }
};

// The gradient of the second convolution's input, without its border: what all outputs that saw an
// element pass back to it.
struct PooledGradient {
    const double* parameters;  // of the second convolution
    const double* output_gradients;
    double* gradients;

    HORA_ON_BOTH void operator()(std::size_t i) const {
        using S = SecondShape;
        const std::size_t channel = i % S::in;
        const std::size_t row = i % pool_elements / S::in / S::side;
        const std::size_t column = i / S::in % S::side;
        const double* const output = output_gradients + i / pool_elements * S::output_elements;
        double sum = 0;
        for (std::size_t tap = 0; tap < S::kernel * S::kernel; ++tap) {
            // The output position that sees this element through this tap, one further down and
            // right so that it cannot be negative.
            const std::size_t seen_row = row + 2 - tap / S::kernel;
            const std::size_t seen_column = column + 2 - tap % S::kernel;
            if (seen_row < 1 || seen_row > S::side || seen_column < 1 || seen_column > S::side) {
                continue;
            }
            const std::size_t position = (seen_row - 1) * S::side + seen_column - 1;
            const double* const weight = parameters + (tap * S::in + channel) * S::out;
            for (std::size_t out = 0; out < S::out; ++out) {
                sum += weight[out] * output[position * S::out + out];
            }
        }
        gradients[i] = sum;
    }
};

// The gradient of the first convolution's output: a pool passes it to the largest of its four, and
// that lets it pass where it was rectified to more than 0.
struct FirstGradient {
    const double* firsts;
    const std::size_t* pooled_from;
    const double* pooled_gradients;
    double* gradients;

    HORA_ON_BOTH void operator()(std::size_t i) const {
        const std::size_t element = i % first_elements;
        const std::size_t channel = element % first_channels;
        const std::size_t row = element / first_channels / image_side / 2;
        const std::size_t column = element / first_channels % image_side / 2;
        const std::size_t pool = i / first_elements * pool_elements +
                                 (row * pooled_side + column) * first_channels + channel;
        gradients[i] = pooled_from[pool] == element && firsts[i] > 0 ? pooled_gradients[pool] : 0;
    }
};

// The terms whose sum is the gradient of a parameter of a convolution: one a sample and position.
template <class S>
struct ConvolutionTerm {
    static constexpr std::size_t parameters = S::parameters;
    static constexpr std::size_t terms_of_sample = S::side * S::side;
    const double* inputs;
    const double* output_gradients;

    HORA_ON_BOTH double operator()(std::size_t parameter, std::size_t term) const {
        const std::size_t sample = term / terms_of_sample;
        const std::size_t position = term % terms_of_sample;
        const double output =
            output_gradients[sample * S::output_elements + position * S::out + parameter % S::out];
        return parameter < S::weights
                   ? inputs[sample * S::input_elements + seen_at<S>(position, parameter)] * output
                   : output;
    }
};

// Of the dense layer: one a sample.
struct DenseTerm {
    static constexpr std::size_t parameters = Network::dense_weights + class_count;
    static constexpr std::size_t terms_of_sample = 1;
    const double* seconds;
    const double* score_gradients;

    HORA_ON_BOTH double operator()(std::size_t parameter, std::size_t sample) const {
        const double score = score_gradients[sample * class_count + parameter % class_count];
        return parameter < Network::dense_weights
                   ? seconds[sample * second_elements + parameter / class_count] * score
                   : score;
    }
};

// Of a sum over samples.
struct SampleTerm {
    static constexpr std::size_t parameters = 1;
    static constexpr std::size_t terms_of_sample = 1;
    const double* values;

    HORA_ON_BOTH double operator()(std::size_t, std::size_t sample) const { return values[sample]; }
};

// Gradient descent with momentum, by the mean over the batch.
struct Descend {
    const double* gradient_sums;
    double batch;
    double rate;
    double* velocity;
    double* parameters;

    HORA_ON_BOTH void operator()(std::size_t i) const {
        velocity[i] = momentum * velocity[i] + gradient_sums[i] / batch;
        parameters[i] -= rate * velocity[i];
    }
};

}  // namespace hora::trainer::operations
