// What would as many GPUs cost over the next slower link?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libplanner/domain/plan.hpp"
#include "libplanner/plan/price/curve.hpp"
#include "libplanner/plan/price/free_gpus.hpp"
#include "libplanner/plan/price/pricing.hpp"

namespace hora::plan {

struct SecondChoice {
    std::vector<domain::Member> members;  // without shares
    Price price;
    std::string across;  // what they lie across inside their node: "switches"; empty: several nodes
};

// The cheapest synchronous set of as many GPUs whose smallest part has a slower link than that of
// the members, the link being the fastest of these. Of equals it is on the members' own way up the
// tree. None: the mode is another one, or no such set is free within the request's layout.
std::optional<SecondChoice> second_choice(Pricing& pricing, const FreeGpus& free,
                                          const Point& chosen,
                                          const std::vector<domain::Member>& members);

}  // namespace hora::plan
