// What else was weighed, what would it have cost, and what ruled it out?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/domain/plan.hpp"
#include "libplanner/plan/weigh.hpp"

namespace hora::plan {

// At most a dozen: as many GPUs as the members over a slower link, the best of each other mode, and
// of other sizes; cheapest first. Where nothing fits, why.
std::vector<domain::Alternative> rejected(Pricing& pricing, const FreeGpus& free,
                                          std::span<const Curve> curves,
                                          const std::optional<Point>& chosen,
                                          const std::vector<domain::Member>& members);

// Adds what the plans at other rates would have cost: that of all rows, and the shortest.
void add_other_rates(domain::Plan& chosen, std::span<const domain::Plan> others,
                     const domain::Request& request, const domain::Cluster& cluster);

// "2 x titanx on n[1-2]", or "2 x titanx across switches on n1".
std::string describe(const domain::Cluster& cluster, std::span<const domain::Member> members,
                     std::string_view across = {});

}  // namespace hora::plan
