// Shortest job first, each on its own request, and what fits beside it without delaying it.
#pragma once

#include "libplanner/elastic/policies/policy.hpp"

namespace hora::elastic {

class ShortestJobFirst : public Policy {
  public:
    // The shortest job that does not fit has the first GPUs that suffice reserved, as running jobs
    // end; a longer one starts only if it is over by then or leaves that one enough. The objective
    // is the number of jobs that start. O(jobs), and a logarithm for each one looked at that fits
    // beside what is held.
    Allocation decide(const domain::ElasticState& state) const override;
};

}  // namespace hora::elastic
