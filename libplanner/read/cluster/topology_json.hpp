// What does the JSON of `hora topology --json` say of a machine?
#pragma once

#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::read {

// The inverse of report::to_json. Needs no hwloc, so that plugins can read it.
// On failure: the first thing that is wrong, and where.
Expected<domain::Topology> read_topology_json(std::string_view json);

}  // namespace hora::read
