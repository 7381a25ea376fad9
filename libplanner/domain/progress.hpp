// What a training program said about how far it is.
#pragma once

#include <cstdint>

#include "libplanner/base/units.hpp"

namespace hora::domain {

// Beyond it every batch that a job may have is worth the same a sample.
constexpr std::uint64_t largest_noise_scale = 1'000'000'000'000;

struct ProgressReport {
    std::uint64_t step = 0;     // steps done
    std::uint64_t epoch = 0;    // as the program counts them
    std::uint64_t samples = 0;  // trained on since the first start
    Seconds seconds;            // since the previous report
    // Of its gradients, in samples, from 1 to largest_noise_scale; 0: not said.
    std::uint64_t noise_scale = 0;

    friend bool operator==(const ProgressReport&, const ProgressReport&) = default;
};

}  // namespace hora::domain
