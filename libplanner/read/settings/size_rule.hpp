// Which numbers of GPUs does "powers", or "1,2,4,8", mean?
#pragma once

#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/size_rule.hpp"

namespace hora::read {

// any, powers, nodes, or a list of at most 16 numbers in any order.
Expected<domain::SizeRule> parse_size_rule(std::string_view text);

}  // namespace hora::read
