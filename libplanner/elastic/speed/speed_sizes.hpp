// What was measured at each size of a job, as one figure?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/elastic/speed/speed_model.hpp"

namespace hora::elastic {

struct MeasuredSize {
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    double step = 0;   // seconds: the points' median, each counting by its steps
    double error = 0;  // relative standard error
    std::uint64_t batch = 0;
};

// By GPUs, then nodes, then batch. Points of a size or time that cannot be, or beyond `most_gpus`,
// are left out, and so are sizes whose speed-up over others is not plausible: those that contradict
// most.
std::vector<MeasuredSize> measured_sizes(std::span<const SpeedPoint> points, std::size_t most_gpus);

}  // namespace hora::elastic
