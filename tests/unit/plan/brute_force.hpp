// The optimum by trying every set of GPUs, for comparison with plan/choose.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/request.hpp"

namespace hora::tests {

// Time of the run (or of a step), and the overhead that breaks ties where the steps are unknown.
using Cost = std::pair<double, double>;

struct Best {
    domain::Mode mode = domain::Mode::independent;
    Cost cost;
    std::vector<std::uint32_t> gpus;  // ascending
    double sample_rate = 1;
};

std::optional<Best> try_all_sets(const domain::Request& request, const domain::Cluster& cluster);

}  // namespace hora::tests
