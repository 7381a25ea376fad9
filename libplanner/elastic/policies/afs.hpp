// Apathetic future share, AFS-L of Hwang and others (NSDI '21), solved anew at every event.
#pragma once

#include "libplanner/elastic/policies/policy.hpp"

namespace hora::elastic {

// GPU by GPU to the winner of a comparison in pairs. Among jobs that hold none yet the shortest
// wins. Otherwise, with s the job that would end sooner as things stand, l the other and p their
// speeds, s wins if
//     (p_s(g + 1) - p_s(g)) / p_s(g)  >=  (p_l(g + 1) - p_l(g)) / p_l(g + 1),
// that is, if both end sooner on average when s has the GPU first and l takes it over.
class ApatheticFutureShare : public Policy {
  public:
    // The objective is the jobs' summed speed in speed-ups over one GPU. O(GPUs * jobs).
    Allocation decide(const domain::ElasticState& state) const override;
};

}  // namespace hora::elastic
