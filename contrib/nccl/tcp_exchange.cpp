// What the ranks tell each other beside their gradients, by TCP: all of it goes through rank 0.
#include "contrib/nccl/tcp_exchange.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

namespace hora::trainer {
namespace {

using namespace std::chrono_literals;

constexpr auto longest_send = 60s;
constexpr auto pause = 5ms;

// A rank that computes may take its time; whether it is still there is asked all the while.
constexpr auto no_limit = Clock::time_point::max();

tl::unexpected<Error> lost(std::size_t rank, const std::string& why) {
    return failure(fmt::format("rank {} is lost: {}; see its own message", rank, why));
}

}  // namespace

Expected<std::unique_ptr<TcpExchange>> TcpExchange::open(const Launch& launch,
                                                         std::chrono::milliseconds wait) {
    auto sockets = join(launch, wait);
    if (!sockets) {
        return unexpected(sockets.error());
    }
    return std::unique_ptr<TcpExchange>(new TcpExchange(launch, std::move(*sockets)));
}

Expected<std::vector<std::uint64_t>> TcpExchange::gather(std::uint64_t value) {
    std::vector<std::uint64_t> values(static_cast<std::size_t>(size_));
    values[static_cast<std::size_t>(rank_)] = value;
    Expected<void> outcome;
    if (is_first()) {
        outcome = receive_from_all(values);
        outcome = outcome ? send_to_all(std::as_bytes(std::span(values))) : outcome;
    } else {
        outcome =
            sockets_[0].send(std::as_bytes(std::span(&value, 1)), Clock::now() + longest_send);
        outcome = outcome ? receive_from_first(std::as_writable_bytes(std::span(values)))
                          : lost(0, outcome.error().message);
    }
    return outcome ? Expected<std::vector<std::uint64_t>>(std::move(values))
                   : unexpected(outcome.error());
}

Expected<void> TcpExchange::while_first_waits(const std::function<void()>& waits,
                                              const std::function<void()>& idle) {
    std::byte token{};
    if (is_first()) {
        waits();
        return send_to_all({&token, 1});
    }
    while (!sockets_[0].waits_for_input(Clock::now() + pause)) {
        idle();
    }
    return receive_from_first({&token, 1});
}

Expected<void> TcpExchange::copy_from_first(std::span<std::byte> bytes) {
    return is_first() ? send_to_all(bytes) : receive_from_first(bytes);
}

Expected<std::vector<std::string>> TcpExchange::collect(std::string text, std::size_t most) {
    text.resize(std::min(text.size(), most));
    const auto sizes = gather(text.size());
    if (!sizes) {
        return unexpected(sizes.error());
    }
    if (!is_first()) {
        const auto sent =
            sockets_[0].send(std::as_bytes(std::span(text)), Clock::now() + longest_send);
        return sent ? Expected<std::vector<std::string>>() : lost(0, sent.error().message);
    }
    std::vector<std::string> texts{std::move(text)};
    for (std::size_t rank = 1; rank < sockets_.size(); ++rank) {
        std::string& other = texts.emplace_back(std::min<std::size_t>((*sizes)[rank], most), '\0');
        const auto received = sockets_[rank].receive(std::as_writable_bytes(std::span(other)),
                                                     Clock::now() + longest_send);
        if (!received) {
            return lost(rank, received.error().message);
        }
    }
    return texts;
}

Expected<void> TcpExchange::check() const {
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
        if (sockets_[i].is_open() && sockets_[i].has_ended()) {
            return lost(i, "it has ended the connection");
        }
    }
    return {};
}

// From all at once: a rank may wait for one that is lost, and then says nothing itself.
Expected<void> TcpExchange::receive_from_all(std::span<std::uint64_t> values) {
    std::vector<std::size_t> sizes(sockets_.size(), 0);
    std::vector<pollfd> entries(sockets_.size());
    std::size_t left = sockets_.empty() ? 0 : sockets_.size() - 1;
    while (left > 0) {
        for (std::size_t rank = 0; rank < sockets_.size(); ++rank) {
            const bool is_complete = sizes[rank] == sizeof values[rank];
            entries[rank] = {.fd = sockets_[rank].number(),
                             .events = static_cast<short>(is_complete ? POLLRDHUP : POLLIN),
                             .revents = 0};
        }
        poll(entries.data(), entries.size(), -1);
        for (std::size_t rank = 1; rank < sockets_.size(); ++rank) {
            if (entries[rank].revents == 0) {
                continue;
            }
            if (sizes[rank] == sizeof values[rank]) {
                return lost(rank, "it has ended the connection");
            }
            const auto bytes = std::as_writable_bytes(values.subspan(rank, 1));
            const auto size = sockets_[rank].receive_some(bytes.subspan(sizes[rank]));
            if (!size) {
                return lost(rank, size.error().message);
            }
            sizes[rank] += *size;
            left -= sizes[rank] == bytes.size() ? 1 : 0;
        }
    }
    return {};
}

Expected<void> TcpExchange::send_to_all(std::span<const std::byte> bytes) const {
    const Clock::time_point until = Clock::now() + longest_send;
    for (std::size_t rank = 1; rank < sockets_.size(); ++rank) {
        if (const auto sent = sockets_[rank].send(bytes, until); !sent) {
            return lost(rank, sent.error().message);
        }
    }
    return {};
}

Expected<void> TcpExchange::receive_from_first(std::span<std::byte> bytes) const {
    const auto received = sockets_[0].receive(bytes, no_limit);
    return received ? received : lost(0, received.error().message);
}

}  // namespace hora::trainer
