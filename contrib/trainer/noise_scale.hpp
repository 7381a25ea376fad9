// How noisy is a gradient, and what is a step of a larger batch worth?
//
// S. McCandlish, J. Kaplan, D. Amodei, "An Empirical Model of Large-Batch Training", 2018,
// arXiv:1812.06162, appendix A.1: the noise scale is tr(Σ)/|G|², where G is the gradient of all
// data and Σ the covariance of the gradients of single samples. A batch of so many samples has a
// gradient in which noise and signal are equal.
//
// T. Johnson, P. Agrawal, H. Gu, C. Guestrin, "AdaScale SGD: A User-Friendly Algorithm for
// Distributed Training", 2020, arXiv:2007.05105: what a step of a larger batch is worth.
#pragma once

#include <cstdint>
#include <optional>

namespace hora::trainer {

// Of the gradient of a batch, and of those of the parts that it was summed from. Gradients are sums
// over samples.
struct GradientSquares {
    double parts = 0;     // with at least one sample
    double of_parts = 0;  // Σ |gradient of the part|² / samples of the part
    double of_batch = 0;  // |gradient of the batch|²
};

class NoiseScale {
  public:
    // What a checkpoint keeps. The averages are moving ones that begin at 0, and `weight` is what
    // such an average of ones would be.
    struct State {
        double signal = 0;  // of |G|²
        double noise = 0;   // of tr(Σ)
        double weight = 0;
        double value = 0;  // the last one; 0: none is known

        friend bool operator==(const State&, const State&) = default;
    };

    // Averages go back over some batches of this size.
    explicit NoiseScale(std::uint64_t smallest_batch) : smallest_batch_(smallest_batch) {}

    // A batch of one part says nothing.
    void add(const GradientSquares& squares, std::uint64_t batch);

    // In samples, positive; empty until enough was measured. While the noise hides the signal it
    // is the last one that was known.
    std::optional<double> value() const;

    const State& state() const { return state_; }
    void restore(const State& state) { state_ = state; }

  private:
    std::uint64_t smallest_batch_;
    State state_;
};

// How many steps of the smallest batch a step of this one is worth, from 1 to batch / smallest; it
// is the factor of the step's learning rate as well. 1 where the noise scale is not known: slow,
// but safe.
double gain(std::uint64_t batch, std::uint64_t smallest_batch, std::optional<double> noise_scale);

}  // namespace hora::trainer
