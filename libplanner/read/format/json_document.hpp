// Is this text JSON, and if not, where does it go wrong?
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::read {

// Fails as a usage error with line and column, for a file that a person may have written. An object
// that names a key twice is refused as well.
Expected<nlohmann::json> parse_json(std::string_view text);

}  // namespace hora::read
