// The network and its optimiser on one device: what a rank learns and computes, and how gradients
// are summed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contrib/trainer/noise_scale.hpp"
#include "libplanner/base/error.hpp"

namespace hora::trainer {

// step(), settle() and start_from_first() are called by all ranks together.
class Learner {
  public:
    virtual ~Learner() = default;
    Learner() = default;
    Learner(const Learner&) = delete;
    Learner& operator=(const Learner&) = delete;

    struct Task {
        std::string data;            // in words: "1437 training and 360 test images"
        std::uint64_t samples = 0;   // to train on
        std::uint64_t checksum = 0;  // of all that a checkpoint must have in common with a training
        std::uint64_t parameters = 0;
    };
    virtual Task task() const = 0;

    // Whether its steps scale the learning rate by their gain, and return the squares of gradients.
    virtual bool measures_noise() const { return false; }

    struct Step {
        std::uint64_t number = 0;              // steps before it, also those of earlier starts
        std::span<const std::size_t> samples;  // this rank's, each below Task::samples
        std::uint64_t batch = 0;               // samples of all ranks
        bool is_requested = false;             // whether this rank was asked for a checkpoint
        bool measures_noise = false;           // whether Sums::squares is looked at
        double gain = 1;                       // factor of the learning rate
    };
    // Over all ranks. A request for a checkpoint reaches the ranks at different moments; summed
    // with the gradient, it reaches all of them at the end of the same step.
    struct Sums {
        double loss = 0;
        double requests = 0;
        GradientSquares squares{};  // the same bits on all ranks
    };
    virtual Expected<Sums> step(const Step& step) = 0;

    // Of the samples held out first, first + stride, …: a sum that says how well they are known.
    virtual Expected<double> test(std::size_t first, std::size_t stride) = 0;
    struct Result {
        std::string_view name;
        double value = 0;
        std::string_view unit;
    };
    // What all ranks' sums come to.
    virtual Result result(double sum) const = 0;

    // What else there is to say at the end; empty where there is nothing.
    virtual std::string summary() const { return {}; }

    // Makes the state that of all steps so far, for a learner that is behind with some of them.
    virtual Expected<void> settle() { return {}; }

    struct State {
        std::vector<double> parameters;
        std::vector<double> velocity;  // empty where the optimiser has none
    };
    virtual Expected<State> state() = 0;
    // All ranks go on with the state of rank 0; the others' is not looked at.
    virtual Expected<void> start_from_first(const State& state) = 0;
};

}  // namespace hora::trainer
