// Which hosts does "n[1-4,07-12]x" mean, and how is a list of hosts written short?
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::read {

// Slurm's host lists: names separated by commas, each with any number of [1,3-5] groups; numbers
// keep the zeros of the first one of a range. Order and repetitions stay as written.
// On failure (bad syntax, more than `limit` hosts, a name that no host can have): what is wrong
// with the text.
Expected<std::vector<std::string>> expand_hostlist(std::string_view text,
                                                   std::size_t limit = 100'000);

// The shortest text of this form that expands to the same hosts in the same order, folding over
// the last number of each name. Names that differ only by zero padding stay apart.
std::string fold_hostlist(std::span<const std::string> hosts);

}  // namespace hora::read
