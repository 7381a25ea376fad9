// The network and its optimiser on one device: what a rank computes, and how gradients are summed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

// Every function but count_right() and state() is called by all ranks together.
class Learner {
  public:
    virtual ~Learner() = default;
    Learner() = default;
    Learner(const Learner&) = delete;
    Learner& operator=(const Learner&) = delete;

    struct Step {
        std::span<const std::size_t> samples;  // this rank's, by their numbers in Digits::training
        std::uint64_t batch = 0;               // samples of all ranks
        bool is_requested = false;             // whether this rank was asked for a checkpoint
    };
    // Over all ranks. A request for a checkpoint reaches the ranks at different moments; summed
    // with the gradient, it reaches all of them at the end of the same step.
    struct Sums {
        double loss = 0;
        double requests = 0;
    };
    virtual Expected<Sums> step(const Step& step) = 0;

    // Of the test images first, first + stride, …: how many are recognised.
    virtual Expected<std::uint64_t> count_right(std::size_t first, std::size_t stride) = 0;

    struct State {
        std::vector<double> parameters;
        std::vector<double> velocity;
    };
    virtual Expected<State> state() = 0;
    // All ranks go on with the state of rank 0; the others' is not looked at.
    virtual Expected<void> start_from_first(const State& state) = 0;
};

}  // namespace hora::trainer
