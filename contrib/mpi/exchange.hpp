// What the ranks tell each other, all of it by MPI.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

// MPI runs from construction to destruction. Every function is called by all ranks together.
class Exchange {
  public:
    Exchange();
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    bool is_first() const { return rank_ == 0; }

    // Replaces the values by their sums over all ranks.
    void sum(std::span<double> values) const;
    // Replaces the bytes by those of rank 0.
    void copy_from_first(std::span<double> values) const;
    // The same for what training starts from; fails on all ranks where one of them lacks any of it.
    Expected<void> broadcast_start(std::span<double> parameters, std::span<double> velocity) const;
    std::uint64_t copy_from_first(std::uint64_t value) const;
    std::vector<std::uint64_t> gather(std::uint64_t value) const;
    // The first rank with an error decides: true on exactly that rank, which is to print it.
    // Empty where no rank has one.
    struct Verdict {
        bool failed = false;
        bool speaks = false;
    };
    Verdict agree(bool has_error) const;
    // Rank 0 runs `waits` until it is done; the others sleep meanwhile, calling `idle`.
    void while_first_waits(const std::function<void()>& waits,
                           const std::function<void()>& idle) const;

  private:
    int rank_ = 0;
    int size_ = 1;
};

}  // namespace hora::trainer
