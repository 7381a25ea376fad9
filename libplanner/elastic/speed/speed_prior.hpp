// What is a job's step thought to take on each number of GPUs, by the one plan that was made of it?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/domain/decision.hpp"
#include "libplanner/elastic/speed/speed_model.hpp"

namespace hora::elastic {

// Owns what a SpeedPrior looks at.
struct PlannedSpeed {
    std::vector<Seconds> compute;  // on 1, 2, … GPUs
    std::vector<Seconds> exchange;

    SpeedPrior prior(std::uint32_t gpus_per_node) const {
        return {.compute = compute, .exchange = exchange, .gpus_per_node = gpus_per_node};
    }
};

// A decision keeps the parts of one step at the size that was planned: computation shrinks with
// the GPUs, and a ring's exchange grows as (g - 1) / g. Without a plan only the shape is known:
// compute(1) is a second, which the first measurement corrects.
PlannedSpeed planned_speed(const domain::Decision& decision, std::uint32_t max_gpus);

// The same, corrected by what was measured of the job.
SpeedCurve seen_speed(const domain::Decision& decision, std::uint32_t max_gpus,
                      std::uint32_t gpus_per_node, std::span<const SpeedPoint> points);

}  // namespace hora::elastic
