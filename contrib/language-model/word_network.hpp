// How likely is each word of a text after those before it? A network says so, and learns it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hora::trainer {

// Predicts each word from those before it: the words' input vectors, a hidden layer of tanh, and a
// softmax over the vocabulary. Computes in float, on one core.
class WordNetwork {
  public:
    struct Sizes {
        std::uint32_t vocabulary = 0;
        std::uint32_t width = 0;  // of a word's input vector, and of the hidden layer
    };

    // The parameters, or the gradient of each.
    struct Arrays {
        std::vector<float> input;   // vocabulary rows of `width`
        std::vector<float> inner;   // the hidden layer: `width` rows, each of weights and one bias
        std::vector<float> output;  // vocabulary rows of width + 1: weights and, last, the bias
    };

    WordNetwork(const WordNetwork&) = delete;
    WordNetwork& operator=(const WordNetwork&) = delete;
    virtual ~WordNetwork() = default;

    virtual std::size_t window() const = 0;     // words of one sample
    virtual std::size_t predicted() const = 0;  // how many of them are predicted: the last ones
    virtual std::size_t inner_size() const = 0;
    const Sizes& sizes() const { return sizes_; }

    Arrays& parameters() { return parameters_; }
    // As many of each as there are parameters.
    Arrays zeros() const;

    // `words` are whole windows, one after the other; none is allowed. Returns the cross entropy in
    // nats, summed over all predicted words, and adds weight · (its gradient) to `gradient`. Of the
    // input rows it touches those of the words only. Buffers grow to the largest call and are kept.
    virtual double learn(std::span<const std::uint32_t> words, float weight, Arrays& gradient) = 0;
    // The same sum. The parameters stay as they are.
    virtual double loss(std::span<const std::uint32_t> words) = 0;

  protected:
    // Has no parameters before draw().
    explicit WordNetwork(Sizes sizes) : sizes_(sizes) {}
    // Weights for the seed; biases 0.
    void draw(std::uint64_t seed);

    // Matrices are spans, row after row. A row of the hidden layer's inputs is all that a hidden
    // unit looks at, and last a 1, which is for the bias.
    using Matrix = std::span<float>;
    using ConstMatrix = std::span<const float>;
    std::size_t inner_columns() const { return inner_size() / sizes_.width; }

    ConstMatrix input_row(std::uint32_t word) const;
    void add_input_gradient(std::uint32_t word, ConstMatrix row, Arrays& gradient) const;

    // hidden = tanh(inputs · innerᵀ)
    void activate(ConstMatrix inputs, Matrix hidden) const;
    // From the gradient of `hidden` that of the sums within tanh, in its place, and of the inputs.
    void pass_back(ConstMatrix hidden, Matrix hidden_gradient, Matrix inputs_gradient) const;
    void add_inner_gradient(ConstMatrix inputs, ConstMatrix sums_gradient, Arrays& gradient) const;

    // The cross entropy of the words, each predicted by its row of `hidden`.
    double predict(ConstMatrix hidden, std::span<const std::uint32_t> words);
    // Also adds to the gradient of the output table, and writes that of `hidden`.
    double learn_output(ConstMatrix hidden, std::span<const std::uint32_t> words, float weight,
                        Arrays& gradient, Matrix hidden_gradient);

  private:
    double predict_block(ConstMatrix hidden, std::span<const std::uint32_t> words);

    Sizes sizes_;
    Arrays parameters_;
    // Of the block of predicted words that is worked on.
    std::vector<float> hidden_;      // rows of width + 1, the last a 1
    std::vector<float> likelihood_;  // rows of `vocabulary`
};

}  // namespace hora::trainer
