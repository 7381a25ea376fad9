// Which words does a value hold, and are they allowed?
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

// Of a list that commas part, empty ones too.
std::vector<std::string_view> split_words(std::string_view list);

// The index of a word in the list of those allowed; the failure names them, and the nearest.
Expected<std::size_t> find_word(std::string_view word, std::span<const std::string_view> allowed);

}  // namespace hora::read
