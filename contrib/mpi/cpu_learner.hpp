// Learns on a CPU, and sums gradients by MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contrib/mpi/mpi_exchange.hpp"
#include "contrib/trainer/digits/digits_learner.hpp"
#include "contrib/trainer/digits/network.hpp"
#include "contrib/trainer/optimiser.hpp"

namespace hora::trainer {

class CpuLearner final : public DigitsLearner {
  public:
    CpuLearner(const Digits& digits, const MpiExchange& exchange, std::uint64_t seed, double rate);

    Expected<Sums> step(const Step& step) override;
    Expected<double> test(std::size_t first, std::size_t stride) override;
    Expected<State> state() override;
    Expected<void> start_from_first(const State& state) override;

  private:
    const MpiExchange& exchange_;
    Network network_;
    Optimiser optimiser_;
    std::vector<double> sums_;  // gradient, then loss, then requests for a checkpoint
};

}  // namespace hora::trainer
