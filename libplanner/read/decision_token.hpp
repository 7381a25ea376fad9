// Which decision does a job's administrator's comment keep?
#pragma once

#include <optional>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/decision.hpp"

namespace hora::read {

// The decision in the `hora={...}` word that report/decision_token.hpp writes; empty where the
// comment has no such word. Fails on one that is torn or of another version.
Expected<std::optional<domain::Decision>> find_decision(std::string_view comment);

}  // namespace hora::read
