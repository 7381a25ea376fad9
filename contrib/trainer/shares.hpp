// Which samples of a batch are whose?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

// What the ranks asked for, in their order. All or none must say; what they say must sum to the
// batch. Without it the first (batch mod ranks) have one more than the others.
Expected<std::vector<std::uint64_t>> to_shares(std::span<const std::optional<std::uint64_t>> asked,
                                               std::uint64_t batch);

struct Slice {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

// The rank's part of a batch of `size` samples; the last batch of an epoch may be smaller than the
// others, and is divided in the same proportion.
Slice slice_of(std::span<const std::uint64_t> shares, std::size_t rank, std::uint64_t size);

}  // namespace hora::trainer
