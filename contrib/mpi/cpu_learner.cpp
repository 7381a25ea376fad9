// Learns on a CPU, and sums gradients by MPI.
#include "contrib/mpi/cpu_learner.hpp"

#include <algorithm>
#include <span>

namespace hora::trainer {
namespace {

constexpr std::size_t loss_at = Network::parameter_count;
constexpr std::size_t request_at = loss_at + 1;

}  // namespace

CpuLearner::CpuLearner(const Digits& digits, const MpiExchange& exchange, std::uint64_t seed,
                       double rate)
    : DigitsLearner(digits),
      exchange_(exchange),
      network_(seed),
      optimiser_(Network::parameter_count, rate),
      sums_(request_at + 1) {}

Expected<Learner::Sums> CpuLearner::step(const Step& step) {
    std::ranges::fill(sums_, 0.0);
    const auto gradient = std::span(sums_).first<Network::parameter_count>();
    for (const std::size_t sample : step.samples) {
        sums_[loss_at] += network_.learn(digits_.training[sample], gradient);
    }
    sums_[request_at] = step.is_requested ? 1 : 0;
    exchange_.sum(sums_);
    for (double& value : gradient) {
        value /= static_cast<double>(step.batch);
    }
    optimiser_.step(network_.parameters(), gradient);
    return Sums{.loss = sums_[loss_at], .requests = sums_[request_at]};
}

Expected<double> CpuLearner::test(std::size_t first, std::size_t stride) {
    double right = 0;
    for (std::size_t i = first; i < digits_.test.size(); i += stride) {
        right += network_.classify(digits_.test[i]) == digits_.test[i].label ? 1 : 0;
    }
    return right;
}

Expected<Learner::State> CpuLearner::state() {
    const auto parameters = network_.parameters();
    const auto velocity = optimiser_.velocity();
    return State{.parameters = {parameters.begin(), parameters.end()},
                 .velocity = {velocity.begin(), velocity.end()}};
}

Expected<void> CpuLearner::start_from_first(const State& state) {
    std::ranges::copy(state.parameters, network_.parameters().begin());
    std::ranges::copy(state.velocity, optimiser_.velocity().begin());
    return exchange_.broadcast_start(std::span<double>(network_.parameters()),
                                     optimiser_.velocity());
}

}  // namespace hora::trainer
