// How is a file replaced so that a reader sees the old or the new one, and never half of it?
#pragma once

#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::scripts {

// Writes a temporary file beside it, mode 0644, synced to disk, and renames it. On failure the old
// file stays and nothing new is left behind.
Expected<void> replace_file(const std::string& path, std::string_view text);

}  // namespace hora::scripts
