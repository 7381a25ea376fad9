// Learns a text's words on a CPU, and sums gradients by MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "contrib/language-model/gradient_exchange.hpp"
#include "contrib/language-model/text.hpp"
#include "contrib/language-model/word_network.hpp"
#include "contrib/mpi/mpi_exchange.hpp"
#include "contrib/trainer/learner.hpp"

namespace hora::trainer {

// A sample is a window of the text; one begins where the words that the last one predicts end.
class LanguageLearner final : public Learner {
  public:
    LanguageLearner(const Text& text, const MpiExchange& exchange,
                    std::unique_ptr<WordNetwork> network, const ExchangeChoice& choice,
                    double rate);

    Task task() const override;
    Expected<Sums> step(const Step& step) override;
    Expected<double> test(std::size_t first, std::size_t stride) override;
    Result result(double sum) const override;
    std::string summary() const override;
    Expected<void> settle() override;
    Expected<State> state() override;
    Expected<void> start_from_first(const State& state) override;

  private:
    Expected<void> broadcast_parameters();
    std::size_t windows_in(std::span<const std::uint32_t> words) const;
    std::span<const std::uint32_t> window(std::span<const std::uint32_t> words,
                                          std::size_t number) const;

    const Text& text_;
    const MpiExchange& exchange_;
    const std::unique_ptr<WordNetwork> network_;
    const double rate_;
    GradientExchange gradients_;
    WordNetwork::Arrays gradient_;      // what this rank learned and has not been exchanged
    std::vector<std::uint32_t> words_;  // of the windows at hand
};

}  // namespace hora::trainer
