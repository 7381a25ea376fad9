// How many samples of a batch does each member take?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::plan {

// Whole shares of at least 1 that sum to the batch and differ by at most 1; the first members
// take what does not divide. Fails if there is no member, or fewer samples than members.
Expected<std::vector<std::uint64_t>> equal_shares(std::uint64_t batch, std::size_t members);

// Whole shares of at least 1 that sum to the batch and make the slowest member's share / speed as
// small as whole shares can; among equals the first member takes more. Speeds are relative. Fails
// as equal_shares does, and on a speed that is not a finite number above 0.
Expected<std::vector<std::uint64_t>> proportional_shares(std::uint64_t batch,
                                                         std::span<const double> speeds);

// Shares of at least 1 and at most the limits, which are what each member manages in the same time
// and sum to the batch at least. In proportion to them: shares as equal as the limits allow would
// waste the fast ones.
std::vector<std::uint64_t> shares_within(std::span<const std::uint64_t> limits,
                                         std::uint64_t batch);

}  // namespace hora::plan
