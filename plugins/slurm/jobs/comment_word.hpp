// What has Hora written of a job into its administrator's comment, beside the words of others?
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libplanner/read/words.hpp"

namespace hora::slurm {

// A word is `key` and what follows it up to the next blank; `key` ends in "=". The rest stays.

// What `parse` makes of the value of the first such word of which it makes anything; empty: of
// none.
template <class Value>
std::optional<Value> value_of_word(std::string_view comment, std::string_view key,
                                   std::optional<Value> (*parse)(std::string_view value)) {
    for (std::string_view word : read::split_words(comment, ' ')) {
        if (word.starts_with(key)) {
            word.remove_prefix(key.size());
            if (auto value = parse(word)) {
                return value;
            }
        }
    }
    return std::nullopt;
}

// The comment without words of this key; with one in their place, or added.
std::string without_word(std::string_view comment, std::string_view key);
std::string with_word(std::string_view comment, std::string_view key, std::string_view value);

}  // namespace hora::slurm
