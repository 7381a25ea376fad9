// Jobs as the daemon sees them, and pools of them, for tests.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "libplanner/elastic/state_of_jobs.hpp"

namespace hora::elastic {

// Halves with each doubling: nothing is exchanged.
inline PlannedSpeed ideal(std::uint32_t most) {
    PlannedSpeed speed;
    for (std::uint32_t gpus = 1; gpus <= most; ++gpus) {
        speed.compute.push_back(Seconds(1.0 / gpus));
    }
    return speed;
}

// 10,000 steps of 1 s over the number of its GPUs.
inline SeenJob running(std::uint64_t id, std::uint32_t gpus) {
    SeenJob job;
    job.id = id;
    job.gpus = gpus;
    job.requested = 2;
    job.max = 8;
    job.steps = 10000;
    job.planned = ideal(8);
    job.started = Seconds(0);
    return job;
}

inline Pool pool_of(std::uint32_t idle, std::vector<SeenJob> jobs,
                    std::vector<Stranger> strangers = {}) {
    return {.now = Seconds(1000),
            .idle = idle,
            .gpus_per_node = 4,
            .rescale = Seconds(10),
            .jobs = std::move(jobs),
            .strangers = std::move(strangers)};
}

}  // namespace hora::elastic
