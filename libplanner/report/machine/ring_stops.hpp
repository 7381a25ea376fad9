// How are the stops of a ring and its links' bandwidths written as JSON?
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "libplanner/plan/ring/predicted_ring.hpp"

namespace hora::report {

// "3" in a ring of one machine, "n1:3" in one of a cluster.
std::string name_of(const plan::RingStop& stop);
// The same, a number where it is one.
nlohmann::ordered_json json_of(const plan::RingStop& stop);
// All of them, in order.
nlohmann::ordered_json order_of(const plan::RingFigures& ring);
// Bytes a second, null where it is not known.
nlohmann::ordered_json known(Bandwidth bandwidth);

}  // namespace hora::report
