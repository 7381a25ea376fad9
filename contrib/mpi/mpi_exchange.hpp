// What the ranks tell each other, all of it by MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "contrib/trainer/exchange.hpp"

namespace hora::trainer {

// MPI runs from construction to destruction, and ends the program itself where a rank is lost.
class MpiExchange final : public Exchange {
  public:
    MpiExchange();
    ~MpiExchange() override;

    // Ends all ranks, which would wait for this one for ever, with exit code 1.
    [[noreturn]] static void abort();

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    Expected<std::vector<std::uint64_t>> gather(std::uint64_t value) override;
    Expected<void> while_first_waits(const std::function<void()>& waits,
                                     const std::function<void()>& idle) override;

    // Replaces the values by their sums over all ranks.
    void sum(std::span<double> values) const;
    // Replaces what training starts from, arrays of the same sizes on all ranks, by rank 0's; fails
    // on all ranks where one of them lacks any of it.
    template <class... T>
    Expected<void> broadcast_start(std::span<T>... arrays) const {
        const std::array<std::span<std::byte>, sizeof...(T)> parts = {
            std::as_writable_bytes(arrays)...};
        return broadcast(parts);
    }

  private:
    static Expected<void> broadcast(std::span<const std::span<std::byte>> parts);

    int rank_ = 0;
    int size_ = 1;
};

}  // namespace hora::trainer
