// Random clusters and requests that reach every rule of the chooser.
#pragma once

#include <cstdint>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/request.hpp"

namespace hora::tests {

struct RandomCase {
    domain::Request request;
    domain::Cluster cluster;
};

// The same seed gives the same case; at most `most_gpus` GPUs.
RandomCase random_case(std::uint64_t seed, std::uint32_t most_gpus);

}  // namespace hora::tests
