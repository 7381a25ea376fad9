// What stands in a file, whole and bounded?
#pragma once

#include <cstddef>
#include <string>

#include "libplanner/base/error.hpp"

namespace hora::read {

// At most `limit` bytes; on failure the message names the file and the reason.
Expected<std::string> read_file(const std::string& path, std::size_t limit = std::size_t{64} << 20);

}  // namespace hora::read
