// What is a job's step thought to take on each number of GPUs, by the one plan that was made of it?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/decision.hpp"
#include "libplanner/elastic/speed/speed_model.hpp"

namespace hora::elastic {

// Owns what a SpeedPrior looks at.
struct PlannedSpeed {
    std::vector<Seconds> compute;  // on 1, 2, … GPUs
    std::vector<Seconds> exchange;
    std::vector<Seconds> between;  // empty where the plan says nothing of several nodes
    std::vector<Seconds> hiding;   // nothing: a plan's exchange is what sticks out

    SpeedPrior prior(std::uint32_t gpus_per_node, const SlowDown& slow_down = {}) const {
        return {.compute = compute,
                .exchange = exchange,
                .gpus_per_node = gpus_per_node,
                .between = between,
                .hiding = hiding,
                .slow_down = slow_down};
    }
};

// The slowest inside a node, and between nodes.
struct NodeLinks {
    domain::Link inside;
    domain::Link between;

    friend bool operator==(const NodeLinks&, const NodeLinks&) = default;
};

// A decision keeps the parts of one step at the size that was planned: computation shrinks with
// the GPUs, and a ring's exchange grows as (g - 1) / g. Without a plan only the shape is known:
// compute(1) is a second, which the first measurement corrects. Between nodes an exchange takes as
// long as at the plan's size if that has several, or as the next larger plan that was priced; what
// fits into one node, less than that by the links, where these are known: `gpus_per_node` is of use
// with them alone.
PlannedSpeed planned_speed(const domain::Decision& decision, std::uint32_t max_gpus,
                           std::uint32_t gpus_per_node = 0,
                           const std::optional<NodeLinks>& links = {});

// The same, corrected by what was measured of the job, and of other jobs between nodes. Of a range
// of batches the plan is the smallest one's.
SpeedCurve seen_speed(const domain::Decision& decision, std::uint32_t max_gpus,
                      std::uint32_t gpus_per_node, std::span<const SpeedPoint> points,
                      const SlowDown& slow_down = {}, const std::optional<NodeLinks>& links = {},
                      const std::optional<BatchRange>& batches = {});

}  // namespace hora::elastic
