// Jobs as the daemon sees them, and pools of them, for tests.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "libplanner/elastic/state_of_jobs.hpp"

namespace hora::elastic {

constexpr std::uint32_t most_of_curve = 8;

// Predicted to halve with each doubling, for nothing is exchanged, and measured at some sizes.
inline std::shared_ptr<const SpeedCurve> measured(const std::vector<SpeedPoint>& points) {
    std::vector<Seconds> compute;
    for (std::uint32_t gpus = 1; gpus <= most_of_curve; ++gpus) {
        compute.push_back(Seconds(1.0 / gpus));
    }
    return std::make_shared<const SpeedCurve>(
        fit_speed({.compute = compute, .gpus_per_node = 4}, points));
}

// 10,000 steps of 1 s over the number of its GPUs.
inline SeenJob running(std::uint64_t id, std::uint32_t gpus) {
    SeenJob job;
    job.id = id;
    job.gpus = gpus;
    job.requested = 2;
    job.max = most_of_curve;
    job.steps = 10000;
    job.curve = measured({});
    job.started = Seconds(0);
    return job;
}

inline SeenJob waiting(std::uint64_t id, std::uint32_t asks) {
    SeenJob job = running(id, 0);
    job.asks = asks;
    job.started.reset();
    return job;
}

inline Pool pool_of(std::uint32_t idle, std::vector<SeenJob> jobs,
                    std::vector<OtherJob> others = {}) {
    return {.name = "titanx of main",
            .now = Seconds(1000),
            .idle = idle,
            .settled = idle,
            .gpus_per_node = 4,
            .rescale = Seconds(10),
            .jobs = std::move(jobs),
            .others = std::move(others)};
}

}  // namespace hora::elastic
