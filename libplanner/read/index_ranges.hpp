// Which indices does "0-3,7" name, and how are indices written so?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

// Ascending indices below `bound`, each once; empty text names none. Anything else is an error.
Expected<std::vector<std::uint32_t>> expand_ranges(std::string_view text, std::uint32_t bound);

// The reverse; indices ascend.
std::string fold_ranges(std::span<const std::uint32_t> indices);

}  // namespace hora::read
