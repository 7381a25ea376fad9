// What do the ranks of a training agree on? Small numbers, at its start and at its pauses;
// gradients are the learner's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

// Every function is called by all ranks together, and fails where one of them is lost.
class Exchange {
  public:
    virtual ~Exchange() = default;
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    bool is_first() const { return rank() == 0; }

    // The values of all ranks, in their order.
    virtual Expected<std::vector<std::uint64_t>> gather(std::uint64_t value) = 0;
    // Rank 0 runs `waits` until it is done; the others sleep meanwhile, calling `idle`.
    virtual Expected<void> while_first_waits(const std::function<void()>& waits,
                                             const std::function<void()>& idle) = 0;

    Expected<std::uint64_t> copy_from_first(std::uint64_t value) {
        return gather(value).map([](const auto& values) { return values.front(); });
    }
    // The first rank whose value is not that of rank 0; empty where all have the same.
    Expected<std::optional<std::size_t>> find_other(std::uint64_t value) {
        return gather(value).map([](const auto& values) -> std::optional<std::size_t> {
            const auto other = std::ranges::find_if(
                values, [&](std::uint64_t one) { return one != values.front(); });
            if (other == values.end()) {
                return std::nullopt;
            }
            return static_cast<std::size_t>(other - values.begin());
        });
    }
};

}  // namespace hora::trainer
