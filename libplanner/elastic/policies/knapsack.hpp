// P5's policy as printed: idle GPUs to running jobs, and back when somebody waits.
#pragma once

#include "libplanner/elastic/policies/policy.hpp"

namespace hora::elastic {

// First come, first served: a new job gets its lowest size at once if so many GPUs are free. When
// somebody waits and none is free, running jobs give back K' = min(requests, GPUs above the lowest
// sizes) at the least loss; when no job waits, they share what idles at the greatest gain. Each
// adds to or takes from what is held; nothing is solved anew.
class Knapsack : public Policy {
  public:
    // The objective is the seconds saved by growing (sum of P5's delta), or lost by shrinking (sum
    // of its nabla).
    Allocation decide(const domain::ElasticState& state) const override;
};

}  // namespace hora::elastic
