// What a learner of digits learns, on any device.
#pragma once

#include <fmt/format.h>

#include "contrib/trainer/digits/digits.hpp"
#include "contrib/trainer/digits/network.hpp"
#include "contrib/trainer/learner.hpp"

namespace hora::trainer {

class DigitsLearner : public Learner {
  public:
    explicit DigitsLearner(const Digits& digits) : digits_(digits) {}

    Task task() const final {
        return {.data = fmt::format("{} training and {} test images", digits_.training.size(),
                                    digits_.test.size()),
                .samples = digits_.training.size(),
                .checksum = digits_.checksum,
                .parameters = Network::parameter_count};
    }
    // Of how many images were recognised.
    Result result(double sum) const final {
        return {.name = "accuracy",
                .value = 100 * sum / static_cast<double>(digits_.test.size()),
                .unit = " %"};
    }

  protected:
    const Digits& digits_;
};

}  // namespace hora::trainer
