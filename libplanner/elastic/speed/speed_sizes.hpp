// What was measured at each size of a job, as one figure?
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/elastic/speed/speed_model.hpp"

namespace hora::elastic {

struct MeasuredSize {
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    double step = 0;          // seconds: the points' median, each counting by its steps
    double error = 0;         // relative standard error
    std::uint64_t batch = 0;  // of all sizes of a job, or of none
};

// From one size to another, in either direction; equal ones, 0 included, are 0 apart.
inline double doublings(double one, double other) {
    return one == other ? 0 : std::abs(std::log2(one / other));
}

// By GPUs, then nodes, then batch. Points of a size or time that cannot be, or beyond `most_gpus`,
// are left out, and so are sizes whose speed-up over others is not plausible: those that contradict
// most.
std::vector<MeasuredSize> measured_sizes(std::span<const SpeedPoint> points, std::size_t most_gpus);

}  // namespace hora::elastic
