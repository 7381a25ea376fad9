// Which nodes differ in nothing but their name and what runs on them?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/domain/cluster.hpp"

namespace hora::read {

// By node: the first node that has the same parent, the same GPUs, the same links inside and the
// same overhead.
std::vector<std::uint32_t> alike_nodes(const domain::Cluster& cluster);

}  // namespace hora::read
