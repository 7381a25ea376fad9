// Which sets of jobs does P5 draw for its comparison?
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "libplanner/base/units.hpp"
#include "libplanner/domain/job_trace.hpp"

namespace hora::sim {

// Shares of micro (6 to 10 minutes on one GPU), small (11 to 60), medium (61 to 120) and large (121
// to 360) jobs; they sum to 1.
using Mix = std::array<double, 4>;

struct NamedMix {
    std::string_view name;
    Mix mix;
};

// p5-1 to p5-4 as P5 words them, then micro-1 to micro-4 with micro jobs in each.
std::span<const NamedMix> named_mixes();

struct Generator {
    Mix mix{};
    std::uint32_t jobs = 20;
    Seconds mean_arrival{900};  // between two submissions, exponential
    std::uint32_t most_gpus = 12;
};

// Elastic jobs from 1 GPU to the most; what each asks for is one. One epoch on g GPUs takes
// D / E ((1 - c) / g + b (g - 1) / g + c): D uniform in the class, E from 10 to 100 epochs, b from
// 0.1 to 0.3, c from 0.01 to 0.03.
domain::JobTrace draw_jobs(const Generator& generator, std::uint64_t seed);

}  // namespace hora::sim
