// What every trainer does once its ranks know each other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "contrib/trainer/exchange.hpp"
#include "contrib/trainer/learner.hpp"
#include "contrib/trainer/settings.hpp"

namespace hora::trainer {

// Called by all ranks together, with the samples of a batch that each of them takes.
using MakeLearner =
    std::function<Expected<std::unique_ptr<Learner>>(std::span<const std::uint64_t> shares)>;

// From the shares to the last line; returns the program's exit code.
int train(Exchange& exchange, const Settings& settings, const MakeLearner& make_learner);

}  // namespace hora::trainer
