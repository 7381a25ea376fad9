// How is a decision kept with its job: one word of its administrator's comment, which holds all of
// it or names the record that does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libplanner/domain/decision.hpp"

namespace hora::report {

constexpr std::size_t longest_token = 4096;
constexpr std::size_t longest_record = 16384;
constexpr std::size_t longest_word = 120;

std::string_view name_of(domain::Promise promise);

// `hora={...}`: JSON on one line without blanks, quotes or backslashes inside its texts (a blank is
// written '~'), so that it stays one word where others split the comment, and needs no
// escaping in an accounting database. At most longest_token bytes: what was rejected last goes
// first, then the changes and the options.
std::string to_token(const domain::Decision& decision);

// The same JSON without `hora=`, for a place of its own: at most longest_record bytes.
std::string to_record(const domain::Decision& decision);

// `hora=KEY,act,8xh100,2n,sync,step=0.25s,total=60s`: the word for a decision whose record is kept
// under this key. At most longest_word bytes, however long the names are.
std::string to_word(std::string_view key, const domain::Decision& decision);

// The comment with the word, of either kind, in the place of an older one, or added; the rest stays
// as it is.
std::string with_token(std::string_view comment, std::string_view token);

}  // namespace hora::report
