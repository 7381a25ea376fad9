// Learns on a CPU, and sums gradients by MPI.
#include "contrib/mpi/cpu_learner.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace hora::trainer {
namespace {

constexpr std::size_t loss_at = Network::parameter_count;
constexpr std::size_t request_at = loss_at + 1;
constexpr std::size_t parts_at = request_at + 1;
constexpr std::size_t squares_at = parts_at + 1;
constexpr std::size_t sum_count = squares_at + 1;

// Samples of a part whose gradient is looked at. With few of them there are many parts, and the
// noise is known better; with many, less is added up beside the gradients: with 8 it takes no time
// that can be measured, with 1 a third of a step. One rank has at least two parts.
std::size_t part_size(std::size_t samples) {
    constexpr std::size_t most = 8;
    return std::clamp<std::size_t>(samples / 2, 1, most);
}

double sum_of_squares(std::span<const double> values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

}  // namespace

CpuLearner::CpuLearner(const Digits& digits, const MpiExchange& exchange, std::uint64_t seed,
                       double rate)
    : DigitsLearner(digits),
      exchange_(exchange),
      network_(seed),
      optimiser_(Network::parameter_count, rate),
      sums_(sum_count),
      part_(Network::parameter_count) {}

Expected<Learner::Sums> CpuLearner::step(const Step& step) {
    std::ranges::fill(sums_, 0.0);
    const auto gradient = std::span(sums_).first<Network::parameter_count>();
    if (step.measures_noise) {
        learn_in_parts(step.samples);
    } else {
        learn(step.samples, gradient);
    }
    sums_[request_at] = step.is_requested ? 1 : 0;
    // MPI gives all ranks the same bits.
    exchange_.sum(std::span(sums_).first(step.measures_noise ? sum_count : parts_at));
    const GradientSquares squares{.parts = sums_[parts_at],
                                  .of_parts = sums_[squares_at],
                                  .of_batch = step.measures_noise ? sum_of_squares(gradient) : 0};
    for (double& value : gradient) {
        value /= static_cast<double>(step.batch);
    }
    optimiser_.step(network_.parameters(), gradient, step.gain);
    return Sums{.loss = sums_[loss_at], .requests = sums_[request_at], .squares = squares};
}

void CpuLearner::learn(std::span<const std::size_t> samples,
                       std::span<double, Network::parameter_count> to) {
    for (const std::size_t sample : samples) {
        sums_[loss_at] += network_.learn(digits_.training[sample], to);
    }
}

void CpuLearner::learn_in_parts(std::span<const std::size_t> samples) {
    const std::size_t size = part_size(samples.size());
    while (!samples.empty()) {
        const auto part = samples.first(std::min(size, samples.size()));
        samples = samples.subspan(part.size());
        std::ranges::fill(part_, 0.0);
        learn(part, std::span<double, Network::parameter_count>(part_));
        sums_[parts_at] += 1;
        sums_[squares_at] += sum_of_squares(part_) / static_cast<double>(part.size());
        std::ranges::transform(part_, sums_, sums_.begin(), std::plus<>());
    }
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
