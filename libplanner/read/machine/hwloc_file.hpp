// Is this text an hwloc XML file that this hwloc can be trusted with?
#pragma once

#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::read {

// hwloc's own parser goes down one call a level, believes what it reads, and says of a file it
// cannot read only that. So a file is looked through before: its version, its depth, its numbers.
// On failure: what is wrong and what to do, to follow the name of the file: "is empty".
Expected<void> check_hwloc_xml(std::string_view xml);

}  // namespace hora::read
