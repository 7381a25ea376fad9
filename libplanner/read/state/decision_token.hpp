// Which decision does a job's administrator's comment keep?
#pragma once

#include <optional>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"
#include "libplanner/domain/plan_word.hpp"

namespace hora::read {

// The decision in the `hora={...}` word that report/decision_token.hpp writes; empty where the
// comment has no such word. Fails on one that is torn or of another version.
Expected<std::optional<domain::Decision>> find_decision(std::string_view comment);

// What stands there in the place of a whole decision; empty where the comment has no such word, or
// one that no release of Hora's wrote.
std::optional<domain::PlanWord> find_plan_word(std::string_view comment);

// Is this word of a comment Hora's, of whichever kind?
bool is_plan_word(std::string_view word);

// The first such word of the comment; empty: there is none.
std::string_view find_word(std::string_view comment);

// Of letters that are safe in the name of a file.
bool is_plan_key(std::string_view text);

// What report::to_record wrote. Fails on a text that is torn or of another version.
Expected<domain::Decision> read_record(std::string_view text);

}  // namespace hora::read
