// Each GPU goes where it saves the most time: Optimus (Peng and others, EuroSys '18), solved anew
// at every event.
#pragma once

#include "libplanner/elastic/policies/policy.hpp"

namespace hora::elastic {

class MarginalGain : public Policy {
  public:
    // Every job gets its lowest size first, in the order of submission; then step by step. The
    // objective is the seconds saved over all jobs on their lowest sizes.
    Allocation decide(const domain::ElasticState& state) const override;
};

}  // namespace hora::elastic
