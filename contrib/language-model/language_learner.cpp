// Learns a text's words on a CPU, and sums gradients by MPI.
#include "contrib/language-model/language_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace hora::trainer {

LanguageLearner::LanguageLearner(const Text& text, const MpiExchange& exchange,
                                 std::unique_ptr<WordNetwork> network, const ExchangeChoice& choice,
                                 double rate)
    : text_(text),
      exchange_(exchange),
      network_(std::move(network)),
      rate_(rate),
      gradients_(*network_, choice),
      gradient_(network_->zeros()) {}

std::size_t LanguageLearner::windows_in(std::span<const std::uint32_t> words) const {
    return words.size() < network_->window()
               ? 0
               : (words.size() - network_->window()) / network_->predicted() + 1;
}

std::span<const std::uint32_t> LanguageLearner::window(std::span<const std::uint32_t> words,
                                                       std::size_t number) const {
    return words.subspan(number * network_->predicted(), network_->window());
}

Learner::Task LanguageLearner::task() const {
    const WordNetwork::Sizes sizes = network_->sizes();
    const std::size_t tables = sizes.vocabulary * (2 * std::size_t{sizes.width} + 1);
    // Networks of one size differ in what they look at.
    const std::uint64_t kind = std::uint64_t{network_->window()} << 32U;
    return {.data = fmt::format("{} training and {} test words, vocabulary {}",
                                text_.training.size(), text_.test.size(), sizes.vocabulary),
            .samples = windows_in(text_.training),
            .checksum = text_.checksum ^ kind,
            .parameters = tables + network_->inner_size()};
}

Expected<Learner::Sums> LanguageLearner::step(const Step& step) {
    words_.clear();
    mpi::WordSet words(network_->sizes().vocabulary);
    for (const std::size_t sample : step.samples) {
        std::ranges::copy(window(text_.training, sample), std::back_inserter(words_));
    }
    for (const std::uint32_t word : words_) {
        words.add(word);
    }
    const auto predicted = static_cast<double>(network_->predicted());
    const auto weight = static_cast<float>(1 / (static_cast<double>(step.batch) * predicted));
    std::array<double, 2> sums = {network_->learn(words_, weight, gradient_) / predicted,
                                  step.is_requested ? 1.0 : 0.0};
    exchange_.sum(sums);
    gradients_.exchange(step.number, std::move(words), gradient_, static_cast<float>(rate_));
    return Sums{.loss = sums[0], .requests = sums[1]};
}

Expected<double> LanguageLearner::test(std::size_t first, std::size_t stride) {
    constexpr std::size_t at_once = 1'024;  // words: as many as make long matrix products
    double sum = 0;
    words_.clear();
    for (std::size_t i = first; i < windows_in(text_.test); i += stride) {
        std::ranges::copy(window(text_.test, i), std::back_inserter(words_));
        if (words_.size() >= at_once) {
            sum += network_->loss(words_);
            words_.clear();
        }
    }
    return sum + network_->loss(words_);
}

Learner::Result LanguageLearner::result(double sum) const {
    const auto words = static_cast<double>(windows_in(text_.test) * network_->predicted());
    return {.name = "perplexity", .value = std::exp(sum / words), .unit = ""};
}

std::string LanguageLearner::summary() const {
    const double all = static_cast<double>(task().parameters * sizeof(float));
    const double sent = gradients_.bytes_per_step();
    if (sent == 0) {
        return {};
    }
    return fmt::format("exchanged {:.4g} MB a step of {:.4g} MB (1/{:.1f}), {}", sent / 1e6,
                       all / 1e6, all / sent,
                       gradients_.has_groups() ? "between groups" : "by each rank");
}

Expected<void> LanguageLearner::settle() {
    gradients_.settle(gradient_, static_cast<float>(rate_));
    if (!gradients_.has_groups()) {
        return {};
    }
    return broadcast_parameters();  // groups add up in different orders
}

// Rank 0's, to all.
Expected<void> LanguageLearner::broadcast_parameters() {
    WordNetwork::Arrays& own = network_->parameters();
    return exchange_.broadcast_start(std::span(own.input), std::span(own.inner),
                                     std::span(own.output));
}

Expected<Learner::State> LanguageLearner::state() {
    State state;
    const WordNetwork::Arrays& own = network_->parameters();
    for (const std::vector<float>* const array : {&own.input, &own.inner, &own.output}) {
        state.parameters.insert(state.parameters.end(), array->begin(), array->end());
    }
    return state;
}

Expected<void> LanguageLearner::start_from_first(const State& state) {
    WordNetwork::Arrays& own = network_->parameters();
    std::span<const double> rest(state.parameters);
    for (std::vector<float>* const array : {&own.input, &own.inner, &own.output}) {
        std::ranges::transform(rest.first(array->size()), array->begin(),
                               [](double value) { return static_cast<float>(value); });
        rest = rest.subspan(array->size());
    }
    return broadcast_parameters();
}

}  // namespace hora::trainer
