// How is it reported whether NCCL built the predicted ring?
#pragma once

#include <span>
#include <string>

#include "libplanner/plan/ring/ring_verdict.hpp"

namespace hora::report {

// One JSON object with "version": 1 and "same": whether no ring loses against the prediction.
std::string to_json(std::span<const plan::RingVerdict> verdicts);
// A line or two a ring: the predicted one, or which links differ and what that costs.
std::string to_text(std::span<const plan::RingVerdict> verdicts);

}  // namespace hora::report
