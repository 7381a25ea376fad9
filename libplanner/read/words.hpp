// Which words does a value hold, and are they allowed?
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/data_type.hpp"

namespace hora::read {

// What stands before the separator, which is taken off with it; all where there is none.
std::string_view take_until(std::string_view& text, char separator);

// Of a list that commas or others part, empty ones too.
std::vector<std::string_view> split_words(std::string_view list, char separator = ',');

// Without the empty ones.
std::vector<std::string> given_words(std::string_view list);

// What "key=value,..." has for the key; empty where it has none.
std::string_view value_in(std::string_view list, std::string_view key);

// The index of a word in the list of those allowed; the failure names them, and the nearest.
Expected<std::size_t> find_word(std::string_view word, std::span<const std::string_view> allowed);

// As find_word(), of the number formats.
Expected<domain::DataType> find_data_type(std::string_view word);

}  // namespace hora::read
