// How a gradient changes the parameters: gradient descent with momentum.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hora::trainer {

constexpr double momentum = 0.9;

class Optimiser {
  public:
    Optimiser(std::size_t parameters, double rate) : rate_(rate), velocity_(parameters, 0.0) {}

    // What a checkpoint must keep beside the parameters.
    std::span<double> velocity() { return velocity_; }

    // `gain` is a factor of the learning rate.
    void step(std::span<double> parameters, std::span<const double> gradient, double gain = 1) {
        const double rate = rate_ * gain;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            velocity_[i] = momentum * velocity_[i] + gradient[i];
            parameters[i] -= rate * velocity_[i];
        }
    }

  private:
    double rate_;
    std::vector<double> velocity_;
};

}  // namespace hora::trainer
