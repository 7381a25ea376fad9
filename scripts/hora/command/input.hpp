// What does the file hold that a command is to read, where - means standard input?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/network.hpp"

namespace hora::scripts {

Expected<std::string> read_input(const std::string& path, std::size_t limit);

// How messages call it.
std::string input_name(const std::string& path);

// read::read_model, with a remark on what the file leaves open.
Expected<domain::Network> read_network(const std::string& name_or_file,
                                       std::optional<std::uint64_t> sequence);

}  // namespace hora::scripts
