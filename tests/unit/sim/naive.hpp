// The same simulation second by second, with nothing clever in it: what the real one has to equal.
#pragma once

#include <vector>

#include "libplanner/domain/job_trace.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/sim/simulate.hpp"

namespace hora::sim {

// When each job ends. Preconditions: submissions and rescale are whole seconds and so is the round;
// without rounds, ends too.
std::vector<double> naive_ends(const domain::JobTrace& trace, const elastic::Policy& policy,
                               const Setup& setup);

}  // namespace hora::sim
