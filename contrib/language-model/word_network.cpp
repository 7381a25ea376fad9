// What do both networks compute alike? The layers, and their gradients.
#include "contrib/language-model/word_network.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace hora::trainer {
namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using View = Eigen::Map<RowMajor>;
using ConstView = Eigen::Map<const RowMajor>;

// Predicted words that pass through the output layer together: their scores for the whole
// vocabulary are the largest matrix there is (64 · 49,036 floats are 12.6 MB).
constexpr std::size_t block_rows = 64;

Eigen::Index index(std::size_t value) {
    return static_cast<Eigen::Index>(value);
}

View view(std::span<float> values, std::size_t columns) {
    return {values.data(), index(values.size() / columns), index(columns)};
}

ConstView const_view(std::span<const float> values, std::size_t columns) {
    return {values.data(), index(values.size() / columns), index(columns)};
}

// Uniform in ±bound, drawn from the generator's own bits because the distributions of the standard
// library differ between implementations.
void draw_rows(std::span<float> values, std::size_t columns, std::size_t weights, float bound,
               std::mt19937_64& random) {
    for (std::size_t row = 0; row < values.size(); row += columns) {
        for (float& weight : values.subspan(row, weights)) {
            const float unit = static_cast<float>(random() >> 40U) * 0x1p-24F;
            weight = (2 * unit - 1) * bound;
        }
    }
}

// Turns scores into likelihoods, and returns the cross entropy of the word.
template <typename Row>
double softmax(Row scores, std::uint32_t word) {
    const float largest = scores.maxCoeff();
    const float score = scores[word];
    scores = (scores.array() - largest).exp();
    const float sum = scores.sum();
    scores /= sum;
    return std::log(static_cast<double>(sum)) + largest - score;
}

// Calls f(first, count) for blocks of the rows.
void for_each_block(std::size_t rows, const auto& f) {
    for (std::size_t first = 0; first < rows; first += block_rows) {
        f(first, std::min(block_rows, rows - first));
    }
}

}  // namespace

WordNetwork::Arrays WordNetwork::zeros() const {
    const std::size_t vocabulary = sizes_.vocabulary;
    return {.input = std::vector<float>(vocabulary * sizes_.width),
            .inner = std::vector<float>(inner_size()),
            .output = std::vector<float>(vocabulary * (sizes_.width + std::size_t{1}))};
}

// Each sum within tanh has a deviation of at most 1, so that tanh neither saturates nor is linear.
// Word vectors have 1/2: of 1, 1/2 and 1/4 it served both networks at rates of 0.5 to 2. The
// first scores are small, so that all words are about as likely.
void WordNetwork::draw(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    parameters_ = zeros();
    const std::size_t width = sizes_.width;
    const std::size_t columns = inner_columns();
    const auto deviation = [](std::size_t inputs) {
        return 1 / std::sqrt(static_cast<float>(inputs));
    };
    const float uniform = std::sqrt(3.0F);  // the bound where the deviation is 1
    draw_rows(parameters_.input, width, width, uniform / 2, random);
    draw_rows(parameters_.inner, columns, columns - 1, uniform * deviation(columns - 1), random);
    draw_rows(parameters_.output, width + 1, width, 0.1F * deviation(width), random);
}

WordNetwork::ConstMatrix WordNetwork::input_row(std::uint32_t word) const {
    return ConstMatrix(parameters_.input).subspan(std::size_t{word} * sizes_.width, sizes_.width);
}

void WordNetwork::add_input_gradient(std::uint32_t word, ConstMatrix row, Arrays& gradient) const {
    const Matrix sum =
        Matrix(gradient.input).subspan(std::size_t{word} * sizes_.width, sizes_.width);
    std::ranges::transform(sum, row, sum.begin(), std::plus<>());
}

void WordNetwork::activate(ConstMatrix inputs, Matrix hidden) const {
    const std::size_t columns = inner_columns();
    View result = view(hidden, sizes_.width);
    result.noalias() =
        const_view(inputs, columns) * const_view(parameters_.inner, columns).transpose();
    result = result.array().tanh();
}

void WordNetwork::pass_back(ConstMatrix hidden, Matrix hidden_gradient,
                            Matrix inputs_gradient) const {
    const std::size_t columns = inner_columns();
    View gradient = view(hidden_gradient, sizes_.width);
    gradient.array() *= 1 - const_view(hidden, sizes_.width).array().square();
    view(inputs_gradient, columns).noalias() = gradient * const_view(parameters_.inner, columns);
}

void WordNetwork::add_inner_gradient(ConstMatrix inputs, ConstMatrix sums_gradient,
                                     Arrays& gradient) const {
    const std::size_t columns = inner_columns();
    view(gradient.inner, columns).noalias() +=
        const_view(sums_gradient, sizes_.width).transpose() * const_view(inputs, columns);
}

double WordNetwork::predict_block(ConstMatrix hidden, std::span<const std::uint32_t> words) {
    const std::size_t width = sizes_.width;
    hidden_.resize(words.size() * (width + 1));
    likelihood_.resize(words.size() * sizes_.vocabulary);
    View rows = view(hidden_, width + 1);
    rows.leftCols(index(width)) = const_view(hidden, width);
    rows.rightCols(1).setOnes();
    View likelihood = view(likelihood_, sizes_.vocabulary);
    likelihood.noalias() = rows * const_view(parameters_.output, width + 1).transpose();
    double sum = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        sum += softmax(likelihood.row(index(i)), words[i]);
    }
    return sum;
}

double WordNetwork::predict(ConstMatrix hidden, std::span<const std::uint32_t> words) {
    double sum = 0;
    for_each_block(words.size(), [&](std::size_t first, std::size_t count) {
        sum += predict_block(hidden.subspan(first * sizes_.width, count * sizes_.width),
                             words.subspan(first, count));
    });
    return sum;
}

double WordNetwork::learn_output(ConstMatrix hidden, std::span<const std::uint32_t> words,
                                 float weight, Arrays& gradient, Matrix hidden_gradient) {
    const std::size_t width = sizes_.width;
    const auto output = const_view(parameters_.output, width + 1);
    View output_gradient = view(gradient.output, width + 1);
    double sum = 0;
    for_each_block(words.size(), [&](std::size_t first, std::size_t count) {
        sum += predict_block(hidden.subspan(first * width, count * width),
                             words.subspan(first, count));
        // Softmax and cross entropy together: p − y.
        View scores_gradient = view(likelihood_, sizes_.vocabulary);
        for (std::size_t i = 0; i < count; ++i) {
            scores_gradient(index(i), words[first + i]) -= 1;
        }
        scores_gradient *= weight;
        output_gradient.noalias() += scores_gradient.transpose() * view(hidden_, width + 1);
        view(hidden_gradient.subspan(first * width, count * width), width).noalias() =
            scores_gradient * output.leftCols(index(width));
    });
    return sum;
}

}  // namespace hora::trainer
