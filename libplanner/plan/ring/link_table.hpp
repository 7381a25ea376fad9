// How fast, and how costly, is the link between each two GPUs of a ring?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::plan {

// What a link's cost is never above: a link that is not there, or slower than 10 bytes a second.
constexpr std::uint64_t most_link_cost = std::uint64_t{100'000'000'000'000'000};

// Symmetric: of two directions the slower one.
class LinkTable {
  public:
    LinkTable(std::span<const Bandwidth> between, std::size_t count);

    std::size_t count() const { return count_; }
    Bandwidth bandwidth(std::size_t a, std::size_t b) const { return bandwidths_[a * count_ + b]; }
    // Time of a byte in attoseconds: whole numbers, so that sums are equal in any order.
    std::uint64_t cost(std::size_t a, std::size_t b) const { return costs_[a * count_ + b]; }

  private:
    std::size_t count_;
    std::vector<Bandwidth> bandwidths_;
    std::vector<std::uint64_t> costs_;
};

}  // namespace hora::plan
