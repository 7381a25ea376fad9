// What the ranks tell each other beside their gradients, by TCP: all of it goes through rank 0.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contrib/nccl/join.hpp"
#include "contrib/trainer/exchange.hpp"

namespace hora::trainer {

class TcpExchange final : public Exchange {
  public:
    static Expected<std::unique_ptr<TcpExchange>> open(const Launch& launch,
                                                       std::chrono::milliseconds wait);

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    Expected<std::vector<std::uint64_t>> gather(std::uint64_t value) override;
    Expected<void> while_first_waits(const std::function<void()>& waits,
                                     const std::function<void()>& idle) override;

    // Replaces the bytes by those of rank 0.
    Expected<void> copy_from_first(std::span<std::byte> bytes);
    using Exchange::copy_from_first;
    // The texts of all ranks, in their order, on rank 0; each is cut to `most` bytes.
    Expected<std::vector<std::string>> collect(std::string text, std::size_t most);
    // Whether all ranks are still there, as far as this one can see: rank 0 sees all of them, and
    // the others see that rank 0 has left.
    Expected<void> check() const;

  private:
    TcpExchange(const Launch& launch, std::vector<Socket> sockets)
        : rank_(launch.rank), size_(launch.size), sockets_(std::move(sockets)) {}

    Expected<void> receive_from_all(std::span<std::uint64_t> values);
    Expected<void> send_to_all(std::span<const std::byte> bytes) const;
    Expected<void> receive_from_first(std::span<std::byte> bytes) const;

    const int rank_;
    const int size_;
    std::vector<Socket> sockets_;  // on rank 0 by rank, its own closed; elsewhere that to rank 0
};

}  // namespace hora::trainer
