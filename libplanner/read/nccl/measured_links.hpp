// Which bandwidths were measured between the GPUs of a machine?
//
// {"version": 1, "links": [{"a": "0000:02:00.0", "b": "0000:03:00.0", "bandwidth": 1.2e10}]}
// a and b are bus ids in any order, bandwidth is bytes a second one way. Pairs may be left out.
#pragma once

#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::read {

// Where measurements of a topology file are kept: FILE.measured.json.
std::string measured_links_path(const std::string& topology_path);

// Overrides topology.paths with what the text says; these are then marked as measured.
// On failure, with the topology unchanged: what is wrong, as a bus id that the topology lacks.
Expected<void> apply_measured_links(domain::Topology& topology, std::string_view json);

}  // namespace hora::read
