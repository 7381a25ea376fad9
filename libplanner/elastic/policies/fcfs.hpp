// First come, first served: each job waits for its own request and keeps it to the end.
#pragma once

#include "libplanner/elastic/policies/policy.hpp"

namespace hora::elastic {

class FirstComeFirstServed : public Policy {
  public:
    // The objective is the number of jobs that start.
    Allocation decide(const domain::ElasticState& state) const override;
    // Each that starts takes one or more, and no job passes another.
    std::size_t looks_at(std::uint32_t idle) const override { return idle; }
};

}  // namespace hora::elastic
