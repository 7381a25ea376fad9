// How does the recurrent network go through its windows? All of them word by word, side by side.
#include "contrib/language-model/recurrent.hpp"

#include <algorithm>
#include <functional>

namespace hora::trainer {
namespace {

class Recurrent final : public WordNetwork {
  public:
    Recurrent(Sizes sizes, std::size_t length, std::uint64_t seed)
        : WordNetwork(sizes), length_(length) {
        draw(seed);
    }

    std::size_t window() const override { return length_ + 1; }
    std::size_t predicted() const override { return length_; }
    std::size_t inner_size() const override {
        return sizes().width * (2 * sizes().width + std::size_t{1});
    }
    double learn(std::span<const std::uint32_t> words, float weight, Arrays& gradient) override;
    double loss(std::span<const std::uint32_t> words) override;

  private:
    void forward(std::span<const std::uint32_t> words);
    void look_at(std::span<const std::uint32_t> words, std::size_t time);
    void go_back(std::span<const std::uint32_t> words, std::size_t time, Arrays& gradient);

    // The rows of one time, which are one for each window.
    template <typename Values>
    auto rows(Values& values, std::size_t time) const {
        const std::size_t size = values.size() / length_;
        return std::span(values).subspan(time * size, size);
    }

    std::size_t length_;
    // All windows' rows of the first time, then all of the second, …
    std::vector<std::uint32_t> targets_;
    std::vector<float> inputs_;  // [x_t, hidden_{t−1}, 1]
    std::vector<float> hidden_;
    std::vector<float> hidden_gradient_;
    std::vector<float> inputs_gradient_;  // of one time, from which the one before it goes on
};

void Recurrent::forward(std::span<const std::uint32_t> words) {
    const std::size_t predictions = words.size() / window() * length_;
    targets_.resize(predictions);
    inputs_.resize(predictions * inner_columns());
    hidden_.resize(predictions * sizes().width);
    for (std::size_t time = 0; time < length_; ++time) {
        look_at(words, time);
        activate(rows(inputs_, time), rows(hidden_, time));
    }
}

void Recurrent::look_at(std::span<const std::uint32_t> words, std::size_t time) {
    const std::size_t width = sizes().width;
    const auto targets = rows(targets_, time);
    auto to = rows(inputs_, time).begin();
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const std::size_t at = i * window() + time;
        targets[i] = words[at + 1];
        to = std::ranges::copy(input_row(words[at]), to).out;
        if (time == 0) {
            to = std::fill_n(to, width, 0.0F);
        } else {
            to = std::ranges::copy(rows(hidden_, time - 1).subspan(i * width, width), to).out;
        }
        *to++ = 1;
    }
}

double Recurrent::learn(std::span<const std::uint32_t> words, float weight, Arrays& gradient) {
    forward(words);
    hidden_gradient_.resize(hidden_.size());
    inputs_gradient_.resize(inputs_.size() / length_);
    const double sum = learn_output(hidden_, targets_, weight, gradient, hidden_gradient_);
    for (std::size_t time = length_; time-- > 0;) {
        go_back(words, time, gradient);
    }
    add_inner_gradient(inputs_, hidden_gradient_, gradient);
    return sum;
}

void Recurrent::go_back(std::span<const std::uint32_t> words, std::size_t time, Arrays& gradient) {
    const std::size_t width = sizes().width;
    pass_back(rows(hidden_, time), rows(hidden_gradient_, time), inputs_gradient_);
    for (std::size_t i = 0; i < words.size() / window(); ++i) {
        const auto row = ConstMatrix(inputs_gradient_).subspan(i * inner_columns());
        add_input_gradient(words[i * window() + time], row.first(width), gradient);
        if (time > 0) {
            const auto before = rows(hidden_gradient_, time - 1).subspan(i * width, width);
            std::ranges::transform(before, row.subspan(width, width), before.begin(),
                                   std::plus<>());
        }
    }
}

double Recurrent::loss(std::span<const std::uint32_t> words) {
    forward(words);
    return predict(hidden_, targets_);
}

}  // namespace

std::unique_ptr<WordNetwork> make_recurrent(WordNetwork::Sizes sizes, std::size_t length,
                                            std::uint64_t seed) {
    return std::make_unique<Recurrent>(sizes, length, seed);
}

}  // namespace hora::trainer
