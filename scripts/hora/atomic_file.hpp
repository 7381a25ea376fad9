// How is a file replaced so that a reader sees the old or the new one, and never half of it?
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::scripts {

// Writes a temporary file beside it, synced to disk, and renames it. On failure the old file stays
// and nothing new is left behind. What is no regular file, and /dev/stdout, is written to.
Expected<void> replace_file(const std::string& path, std::string_view text, mode_t mode = 0644);

}  // namespace hora::scripts
