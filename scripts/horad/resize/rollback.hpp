// Of the sizes that a waiting job was given one after another: how does it come back to what its
// owner asked for, and what can be spared of that?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

// Does a job that asks for `now` still ask for the size that it was given? Its GPUs need not be
// close together any more, once it has waited for long enough.
bool still_asks_for(const slurm::JobShape& wanted, const slurm::JobShape& now);

struct Spared {
    std::optional<ResizeEntry> joined;  // in the place of the one of its number
    std::vector<std::uint64_t> forgotten;
};

// `entries`: of one job, ascending by number; two or more. What its owner asked for last stays.
Spared spare_one(const std::vector<ResizeEntry>& entries);

}  // namespace hora::horad
