// Is the checkpoint folder there, and the user's alone?
#pragma once

#include <sys/types.h>

#include <string>

#include "libplanner/base/error.hpp"

namespace hora::spank {

// Makes what is missing of an absolute path, 0700, with the caller's rights. Fails if the folder
// cannot be made, is no folder, or is not `owner`'s alone to write, and so where a ".hora-UID"
// above it is not: job ids can be guessed.
Expected<void> make_folder(const std::string& path, uid_t owner);

}  // namespace hora::spank
