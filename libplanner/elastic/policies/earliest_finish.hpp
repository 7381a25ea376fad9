// All GPUs to one job at a time, on which it finishes earliest, in the order of submission: P5's
// second baseline. Taking the shortest job first would be another policy, and a better one: in P5's
// setting it comes to 1.09 of fcfs, where P5's printed figures make this one 1.43 to 1.66.
#pragma once

#include "libplanner/elastic/policies/policy.hpp"

namespace hora::elastic {

class EarliestFinish : public Policy {
  public:
    // A job that runs runs on to its end. The objective is the seconds until the chosen one ends; 0
    // without one.
    Allocation decide(const domain::ElasticState& state) const override;
};

}  // namespace hora::elastic
