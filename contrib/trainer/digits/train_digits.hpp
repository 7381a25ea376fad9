// What every trainer of digits does once its ranks know each other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "contrib/trainer/digits/digits.hpp"
#include "contrib/trainer/train.hpp"

namespace hora::trainer {

using MakeDigitsLearner = std::function<Expected<std::unique_ptr<Learner>>(
    const Digits& digits, std::span<const std::uint64_t> shares)>;

// Of the digits in settings.data, as train() of train.hpp.
int train_digits(Exchange& exchange, const Settings& settings,
                 const MakeDigitsLearner& make_learner);

}  // namespace hora::trainer
