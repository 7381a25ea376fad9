// What stands in a file, whole and bounded?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::read {

// At most `limit` bytes; on failure the message names the file and the reason.
Expected<std::string> read_file(const std::string& path, std::size_t limit = std::size_t{64} << 20);

// Likewise, where another user can write to the folder and may have replaced the file: a FIFO or a
// device is refused and not waited for.
enum class Links { follow, refuse };
Expected<std::string> read_regular_file(const std::string& path, Links links,
                                        std::size_t limit = std::size_t{64} << 20);

// Likewise what an open file still gives, from where it stands, also one that does not block by
// itself; messages call it `name`. The descriptor stays open.
Expected<std::string> read_open_file(int descriptor, std::string_view name, std::size_t limit);

}  // namespace hora::read
