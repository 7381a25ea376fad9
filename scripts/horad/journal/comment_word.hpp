// What has Hora written of a job into its administrator's comment, beside the words of others?
#pragma once

#include <string>
#include <string_view>

namespace hora::horad {

// A word is `key` and what follows it up to the next blank; `key` ends in "=". The rest stays.

// The comment without words of this key; with one in their place, or added.
std::string without_word(std::string_view comment, std::string_view key);
std::string with_word(std::string_view comment, std::string_view key, std::string_view value);

}  // namespace hora::horad
