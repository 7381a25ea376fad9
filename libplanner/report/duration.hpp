// How is a length of time written for people? In the unit that fits: "412 ms", "3.4 h".
#pragma once

#include <string>

#include "libplanner/base/units.hpp"

namespace hora::report {

std::string duration(Seconds time);

}  // namespace hora::report
