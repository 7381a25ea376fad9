// What else was weighed, what would it have cost, and what ruled it out?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libplanner/domain/plan.hpp"
#include "libplanner/plan/weigh.hpp"

namespace hora::plan {

// At most a dozen: the best of each other mode, of other sizes, and with the busy GPUs; cheapest
// first. Where nothing fits, why.
std::vector<domain::Alternative> rejected(Pricing& pricing, const FreeGpus& free,
                                          std::span<const Curve> curves,
                                          const std::optional<Point>& chosen);

// "2 x titanx on n[1-2]", types by their number.
std::string describe(const domain::Cluster& cluster, std::span<const domain::Member> members);

}  // namespace hora::plan
