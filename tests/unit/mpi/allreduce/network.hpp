// Ranks in one process, whose messages take any time: whatever order a real network could have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "plugins/mpi/allreduce/transport.hpp"

namespace hora::mpi {

class Network {
  public:
    Network(std::uint32_t ranks, std::size_t largest_message, std::uint32_t seed)
        : random_(seed), largest_message_(largest_message) {
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            ranks_.push_back(std::make_unique<Rank>(*this, rank, ranks));
        }
    }

    Transport& rank(std::uint32_t rank) { return *ranks_[rank]; }
    std::mt19937& random() { return random_; }
    bool is_quiet() const {
        return std::ranges::all_of(ranks_, [](const auto& rank) { return rank->is_quiet(); });
    }

  private:
    // What is copied when it arrives: a sender that changes it before it is sent is found out.
    struct OnItsWay {
        std::uint64_t message;
        std::vector<std::span<const std::byte>> parts;
    };

    class Rank final : public Transport {
      public:
        Rank(Network& network, std::uint32_t rank, std::uint32_t size)
            : network_(network), rank_(rank), size_(size) {}

        std::uint32_t rank() const override { return rank_; }
        std::uint32_t size() const override { return size_; }
        std::size_t largest_message() const override { return network_.largest_message_; }

        void send(std::uint32_t to, std::uint64_t message,
                  std::span<const std::span<const std::byte>> parts) override {
            network_.ranks_[to]->coming_[rank_].push_back({message, {parts.begin(), parts.end()}});
        }

        void progress(Handler& handler, Seconds) override {
            network_.clock_ += 1e-6;
            for (const std::uint64_t message : std::exchange(sent_, {})) {
                handler.sent(message);
            }
            std::vector<std::uint32_t> senders;
            for (const auto& [from, messages] : coming_) {
                if (!messages.empty()) {
                    senders.push_back(from);
                }
            }
            std::ranges::shuffle(senders, network_.random_);
            senders.resize(senders.empty() ? 0 : network_.random_() % (senders.size() + 1));
            for (const std::uint32_t from : senders) {
                take(handler, from);
            }
        }

        Seconds now() const override { return Seconds(network_.clock_); }

        bool is_quiet() const {
            return std::ranges::all_of(coming_, [](const auto& one) { return one.second.empty(); });
        }

      private:
        void take(Handler& handler, std::uint32_t from) {
            // A long message may be overtaken.
            auto& messages = coming_[from];
            const auto it = messages.begin() +
                            static_cast<std::ptrdiff_t>(network_.random_() % messages.size());
            const OnItsWay arrived = std::move(*it);
            messages.erase(it);
            std::vector<std::byte> bytes;
            for (const std::span<const std::byte> part : arrived.parts) {
                bytes.insert(bytes.end(), part.begin(), part.end());
            }
            auto message = std::make_shared<Buffer>();
            message->bytes = std::make_unique<std::byte[]>(bytes.size());
            message->size = bytes.size();
            std::memcpy(message->bytes.get(), bytes.data(), bytes.size());
            network_.ranks_[from]->sent_.push_back(arrived.message);
            handler.received(std::move(message));
        }

        Network& network_;
        const std::uint32_t rank_;
        const std::uint32_t size_;
        std::map<std::uint32_t, std::deque<OnItsWay>> coming_;  // by sender
        std::vector<std::uint64_t> sent_;
    };

    std::mt19937 random_;
    std::size_t largest_message_;
    double clock_ = 0;
    std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace hora::mpi
