// How many GPUs is a whole node, where jobs get nothing less?
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "libplanner/domain/cluster.hpp"

namespace hora::plan {

// The GPUs of each of these nodes that has any; empty where they differ, or none has.
std::optional<std::uint32_t> gpus_of_each_node(const domain::Cluster& cluster,
                                               std::span<const std::uint32_t> nodes);

// The same of all nodes.
std::optional<std::uint32_t> gpus_of_each_node(const domain::Cluster& cluster);

}  // namespace hora::plan
