// How is a decision kept with its job: one word of its administrator's comment.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libplanner/domain/decision.hpp"

namespace hora::report {

constexpr std::size_t longest_token = 4096;

std::string_view name_of(domain::Promise promise);

// `hora={...}`: JSON on one line without blanks, quotes or backslashes inside its texts (a blank is
// written '~'), so that it stays one word for whoever else splits the comment, and needs no
// escaping in an accounting database. At most longest_token bytes: what was rejected last goes
// first, then the changes and the options.
std::string to_token(const domain::Decision& decision);

// The comment with the token in the place of an older one, or added; the rest stays as it is.
std::string with_token(std::string_view comment, std::string_view token);

}  // namespace hora::report
