// Which nodes does a constraint (-C) allow, and which feature stands for a type of GPU?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/snapshot.hpp"

namespace hora::request {

// Does a node with these features satisfy `a&(b|c)`? Empty: yes. As Slurm does it, from left to
// right: `a|b&c` is `(a|b)&c`. Fails on what Slurm knows beyond that (counts, brackets): such a
// constraint ties nodes to each other.
Expected<bool> satisfies(std::string_view constraint, std::span<const std::string> features);

// Both constraints at once; either may be empty. Slurm refuses parentheses in parentheses: empty
// where one constraint cannot say it without them, or one has counts or brackets.
std::optional<std::string> both(std::string_view constraint, std::string_view other);

// The feature that exactly the `wanted` nodes among `all` have, "" if none has that meaning; one
// named as preferred wins, then the first by name. The indices are into states.
std::string feature_of(const std::vector<domain::NodeState>& states,
                       std::span<const std::uint32_t> wanted, std::span<const std::uint32_t> all,
                       std::string_view preferred);

}  // namespace hora::request
