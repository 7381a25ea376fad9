// Out of eligible GPUs, which n lie on fewest nodes, evenly, and first?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/domain/cluster.hpp"

namespace hora::plan {

// Each takes eligible GPUs ascending, there are enough of them, and gives the chosen ascending.

// Fewest nodes; among these the same number on each if possible; then the lowest indices.
std::vector<std::uint32_t> pick_compact(const domain::Cluster& cluster,
                                        std::span<const std::uint32_t> eligible,
                                        std::uint64_t wanted);
// `each` on every one of the first `nodes` nodes that have as many.
std::vector<std::uint32_t> pick_uniform(const domain::Cluster& cluster,
                                        std::span<const std::uint32_t> eligible,
                                        std::uint64_t nodes, std::uint64_t each);

std::uint64_t count_nodes(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);
bool is_uniform(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

}  // namespace hora::plan
