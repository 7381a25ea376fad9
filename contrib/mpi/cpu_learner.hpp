// Learns on a CPU, and sums gradients by MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contrib/mpi/mpi_exchange.hpp"
#include "contrib/trainer/digits/digits_learner.hpp"
#include "contrib/trainer/digits/network.hpp"
#include "contrib/trainer/optimiser.hpp"

namespace hora::trainer {

class CpuLearner final : public DigitsLearner {
  public:
    CpuLearner(const Digits& digits, const MpiExchange& exchange, std::uint64_t seed, double rate);

    bool measures_noise() const override { return true; }
    Expected<Sums> step(const Step& step) override;
    Expected<double> test(std::size_t first, std::size_t stride) override;
    Expected<State> state() override;
    Expected<void> start_from_first(const State& state) override;

  private:
    void learn(std::span<const std::size_t> samples,
               std::span<double, Network::parameter_count> to);
    void learn_in_parts(std::span<const std::size_t> samples);

    const MpiExchange& exchange_;
    Network network_;
    Optimiser optimiser_;
    // Gradient, then loss, then requests for a checkpoint; where noise is measured, then parts of
    // the batch, and the squares of their gradients.
    std::vector<double> sums_;
    std::vector<double> part_;  // the gradient of one
};

}  // namespace hora::trainer
