// Which GPUs exactly make up the best set of a size, and with which shares?
#pragma once

#include <cstdint>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/plan.hpp"
#include "libplanner/plan/price/curve.hpp"
#include "libplanner/plan/price/spots.hpp"

namespace hora::plan {

// The members of a point that one of the curves gave, by GPU; never empty. Of all sets of the
// point's price the one that choose.hpp says; quick: one of them.
std::vector<domain::Member> place(Pricing& pricing, const FreeGpus& free, const Point& point,
                                  Placing placing);

}  // namespace hora::plan
