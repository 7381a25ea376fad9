// What a training program said about how far it is.
#pragma once

#include <cstdint>

#include "libplanner/base/units.hpp"

namespace hora::domain {

struct ProgressReport {
    std::uint64_t step = 0;     // steps done
    std::uint64_t epoch = 0;    // as the program counts them
    std::uint64_t samples = 0;  // trained on since the first start
    Seconds seconds;            // since the previous report

    friend bool operator==(const ProgressReport&, const ProgressReport&) = default;
};

}  // namespace hora::domain
