// How is it reported whether NCCL saw the machine that a topology describes?
#pragma once

#include <string>

#include "libplanner/domain/topology.hpp"
#include "libplanner/plan/ring/machine_difference.hpp"

namespace hora::report {

// One JSON object with "version": 1 and "same".
std::string to_json(const plan::MachineDifference& difference, const domain::Topology& described);
// A line for each device, link and path that differs.
std::string to_text(const plan::MachineDifference& difference, const domain::Topology& described);

}  // namespace hora::report
