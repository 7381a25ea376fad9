// Hora's own policy: each GPU goes where it speeds up most, short jobs first, and no job restarts
// for less than the restart costs.
//
// Solved anew at every event, it maximises
//     sum over jobs of  w * S(g) * (1 - R/H if g is not what it holds, else 1)
// with S the speed-up over one GPU, w = (remaining work)^-s where s grows to 1/4 with the number of
// jobs, R the cost of a restart and H the time for which the decision is expected to hold. What S
// gains beyond a job's own request counts half.
// - Optimus (EuroSys '18) and AFS (NSDI '21) hand out GPUs by marginal gain; the weight turns that
//   towards the shortest remaining time as far as pays (heSRPT of Berg and others, 2020, derives
//   such a mixture for equal speed-up curves).
// - Lyra (EuroSys '23), Pollux (OSDI '21) and Sia (SOSP '23) weigh the restart as well.
// - From P5: a started job keeps its minimum, and who waits starts before anybody grows. Among
//   those who wait the highest response ratio goes first (Hansen, 1971): short ones, but none
//   waits for ever.
// Curves need not be concave: a step leads from a corner of the curve's upper hull to the next.
#pragma once

#include "libplanner/elastic/policies/policy.hpp"

namespace hora::elastic {

class HoraPolicy : public Policy {
  public:
    // The objective is the sum of the jobs' speed-ups over one GPU.
    // O(sum of the jobs' sizes + (jobs + GPUs) log jobs).
    Allocation decide(const domain::ElasticState& state) const override;
};

}  // namespace hora::elastic
