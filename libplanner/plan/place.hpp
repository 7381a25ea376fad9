// Which GPUs exactly make up the best set of a size, and with which shares?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"
#include "libplanner/plan/curve.hpp"

namespace hora::plan {

// thorough: over all parts that reach the price, the set on fewest nodes, then the same number on
// each, then lower indices. quick: in the first part that reaches it.
enum class Placing { thorough, quick };

// The members of a point that one of the curves gave, by GPU; never empty.
std::vector<domain::Member> place(Pricing& pricing, const FreeGpus& free, const Point& point,
                                  Placing placing);

// The smallest part that holds all members.
std::uint32_t spanning_part(const domain::Cluster& cluster,
                            const std::vector<domain::Member>& members);

}  // namespace hora::plan
