// Which gradient noise scale does an application have, by the steps that each of its batches needs?
#pragma once

#include <span>
#include <vector>

#include "libplanner/domain/job_trace.hpp"

namespace hora::sim {

// In samples: the line through the samples that its trainings took, S(m) = S0 (1 + m / noise), by
// least squares of the relative errors (McCandlish et al. 2018, equation 5.1). 10^12 where larger
// batches need no more samples.
double noise_scale_of(std::span<const domain::TrueSpeed> speeds,
                      const std::vector<domain::BatchSpeed>& range);

}  // namespace hora::sim
