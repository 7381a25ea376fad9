// How far off predictions were, by what earlier jobs measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/units.hpp"

namespace hora::domain {

// Runs of one model on one type of GPU at one size.
struct MeasuredSpeed {
    std::optional<std::uint32_t> uid;  // whose runs they are; empty: what several users agree on
    std::string model;                 // cost::model_key
    std::string device;                // in lower case: compared with is_same_word
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    double exchange_share = 0;  // of the predicted step, 0 … 1
    double ratio = 1;           // measured step / predicted
    std::uint32_t runs = 1;
    std::uint32_t users = 1;
    // P1's overhead of such a run: from its start to its first step. Empty: not measured.
    std::optional<Seconds> overhead = {};
    // Of the measured step, 0 … 1: what ranks waited for late ones. Empty: not recorded, and where
    // it is what several users agree on.
    std::optional<double> late = {};

    friend bool operator==(const MeasuredSpeed&, const MeasuredSpeed&) = default;
};

// What a step of a plan is expected to wait for late ranks, by earlier runs. It is part of the
// step's time.
struct Lateness {
    Seconds waiting;
    Seconds bypassed;  // of that, at most, where an all-reduce goes ahead of them

    friend bool operator==(const Lateness&, const Lateness&) = default;
};

// What a prediction is multiplied by.
struct Correction {
    double compute = 1;
    double exchange = 1;
    std::uint32_t runs = 0;
    std::uint32_t users = 0;  // 0: the owner's own runs

    friend bool operator==(const Correction&, const Correction&) = default;
};

}  // namespace hora::domain
