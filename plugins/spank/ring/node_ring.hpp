// In which order does a ring visit a job's nodes?
#pragma once

#include <span>
#include <string>
#include <vector>

#include "libplanner/read/cluster/fabric_text.hpp"

namespace hora::spank {

// Empty where the fabric knows none of the nodes.
std::vector<std::string> ring_over(const read::NamedFabric& fabric,
                                   std::span<const std::string> nodes);

}  // namespace hora::spank
