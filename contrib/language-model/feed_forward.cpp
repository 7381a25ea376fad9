// How does the network that looks at four words see them? Side by side.
#include "contrib/language-model/feed_forward.hpp"

#include <algorithm>

namespace hora::trainer {
namespace {

constexpr std::size_t seen = 4;

class FeedForward final : public WordNetwork {
  public:
    FeedForward(Sizes sizes, std::uint64_t seed) : WordNetwork(sizes) { draw(seed); }

    std::size_t window() const override { return seen + 1; }
    std::size_t predicted() const override { return 1; }
    std::size_t inner_size() const override {
        return sizes().width * (seen * sizes().width + std::size_t{1});
    }
    double learn(std::span<const std::uint32_t> words, float weight, Arrays& gradient) override;
    double loss(std::span<const std::uint32_t> words) override;

  private:
    void forward(std::span<const std::uint32_t> words);

    // A row for each window.
    std::vector<std::uint32_t> targets_;
    std::vector<float> inputs_;  // [x₁ … x₄, 1]
    std::vector<float> inputs_gradient_;
    std::vector<float> hidden_;
    std::vector<float> hidden_gradient_;
};

void FeedForward::forward(std::span<const std::uint32_t> words) {
    const std::size_t windows = words.size() / window();
    targets_.resize(windows);
    inputs_.resize(windows * inner_columns());
    hidden_.resize(windows * sizes().width);
    auto to = inputs_.begin();
    for (std::size_t i = 0; i < windows; ++i) {
        const auto sample = words.subspan(i * window(), window());
        for (const std::uint32_t word : sample.first(seen)) {
            to = std::ranges::copy(input_row(word), to).out;
        }
        *to++ = 1;
        targets_[i] = sample.back();
    }
    activate(inputs_, hidden_);
}

double FeedForward::learn(std::span<const std::uint32_t> words, float weight, Arrays& gradient) {
    forward(words);
    hidden_gradient_.resize(hidden_.size());
    inputs_gradient_.resize(inputs_.size());
    const double sum = learn_output(hidden_, targets_, weight, gradient, hidden_gradient_);
    pass_back(hidden_, hidden_gradient_, inputs_gradient_);
    add_inner_gradient(inputs_, hidden_gradient_, gradient);
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        auto row = ConstMatrix(inputs_gradient_).subspan(i * inner_columns());
        for (const std::uint32_t word : words.subspan(i * window(), seen)) {
            add_input_gradient(word, row.first(sizes().width), gradient);
            row = row.subspan(sizes().width);
        }
    }
    return sum;
}

double FeedForward::loss(std::span<const std::uint32_t> words) {
    forward(words);
    return predict(hidden_, targets_);
}

}  // namespace

std::unique_ptr<WordNetwork> make_feed_forward(WordNetwork::Sizes sizes, std::uint64_t seed) {
    return std::make_unique<FeedForward>(sizes, seed);
}

}  // namespace hora::trainer
