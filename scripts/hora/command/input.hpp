// What does the file hold that a command is to read, where - means standard input?
#pragma once

#include <cstddef>
#include <string>

#include "libplanner/base/error.hpp"

namespace hora::scripts {

Expected<std::string> read_input(const std::string& path, std::size_t limit);

// How messages call it.
std::string input_name(const std::string& path);

}  // namespace hora::scripts
