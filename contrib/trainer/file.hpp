// Whole files, written so that no reader ever sees half of one.
#pragma once

#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

// Writes `name` in `folder` under a temporary name, fsyncs it, renames it and fsyncs the folder.
// A failure leaves neither of the two names behind that was not there before.
Expected<void> replace_file(const std::string& folder, const std::string& name,
                            std::string_view bytes);

// A new file, 0600, in the place of one that is there.
Expected<void> write_private_file(const std::string& path, std::string_view bytes);
// Only a file of this user's that no other user may read or write, and no link; at most `limit`
// bytes.
Expected<std::string> read_private_file(const std::string& path, std::size_t limit);

// Files of more than `limit` bytes are refused.
Expected<std::string> read_file(const std::string& path, std::size_t limit);

// Temporary names start with this.
constexpr std::string_view unfinished_prefix = ".unfinished-";

}  // namespace hora::trainer
