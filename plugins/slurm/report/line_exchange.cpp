// What does the other side answer to one line?
#include "plugins/slurm/report/line_exchange.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "plugins/slurm/store/descriptor.hpp"

namespace hora::slurm {
namespace {

using Clock = std::chrono::steady_clock;

struct Free {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, Free>;

bool wait_for(int socket, short event, Clock::time_point deadline) {
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) {
            errno = ETIMEDOUT;
            return false;
        }
        pollfd wait{socket, event, 0};
        const int ready = poll(&wait, 1, static_cast<int>(left.count()));
        if (ready > 0) {
            return true;
        }
        if (ready < 0 && errno != EINTR) {
            return false;
        }
    }
}

// errno says why where there is none.
std::optional<Descriptor> connect_to(const addrinfo& address, Clock::time_point deadline) {
    Descriptor made(socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                           address.ai_protocol));
    if (!made.is_open()) {
        return std::nullopt;
    }
    if (connect(made.number(), address.ai_addr, address.ai_addrlen) == 0) {
        return made;
    }
    if (errno != EINPROGRESS || !wait_for(made.number(), POLLOUT, deadline)) {
        return std::nullopt;
    }
    int reason = 0;
    socklen_t length = sizeof reason;
    if (getsockopt(made.number(), SOL_SOCKET, SO_ERROR, &reason, &length) != 0 || reason != 0) {
        errno = reason;
        return std::nullopt;
    }
    return made;
}

bool write_all(int socket, std::string_view text, Clock::time_point deadline) {
    while (!text.empty()) {
        const ssize_t count = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
        if (count >= 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EINTR && (errno != EAGAIN || !wait_for(socket, POLLOUT, deadline))) {
            return false;
        }
    }
    return true;
}

// Up to the end of the first line; nothing where it does not come, or is too long.
std::optional<std::string> read_line(int socket, Clock::time_point deadline) {
    std::string text;
    while (text.size() <= longest_line) {
        std::array<char, longest_line + 1> chunk;
        const ssize_t count = recv(socket, chunk.data(), chunk.size(), 0);
        if (count > 0) {
            text.append(chunk.data(), static_cast<std::size_t>(count));
            if (const std::size_t end = text.find('\n'); end != std::string::npos) {
                return text.substr(0, end);
            }
        } else if (count == 0) {
            errno = ECONNRESET;
            return std::nullopt;
        } else if (errno != EINTR && (errno != EAGAIN || !wait_for(socket, POLLIN, deadline))) {
            return std::nullopt;
        }
    }
    errno = EMSGSIZE;
    return std::nullopt;
}

}  // namespace

Expected<std::string> exchange_line(const std::string& host, std::uint16_t port,
                                    const std::string& line, std::chrono::milliseconds limit) {
    const Clock::time_point deadline = Clock::now() + limit;
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    if (const int code = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &list);
        code != 0) {
        return failure(fmt::format("{}: {}", host, gai_strerror(code)));
    }
    const Addresses owner(list);
    auto answer = exchange_line(*list, line, deadline);
    return answer ? answer
                  : unexpected(answer.error().within(fmt::format("{} port {}", host, port)));
}

Expected<std::string> exchange_line(const addrinfo& addresses, const std::string& line,
                                    Clock::time_point deadline) {
    int left = 0;
    for (const addrinfo* address = &addresses; address != nullptr; address = address->ai_next) {
        ++left;
    }
    int reason = 0;
    for (const addrinfo* address = &addresses; address != nullptr; address = address->ai_next) {
        const Clock::time_point now = Clock::now();
        const Clock::time_point end = now + (deadline - now) / left;
        const auto connected = connect_to(*address, end);
        if (connected && write_all(connected->number(), line + "\n", end)) {
            if (auto answer = read_line(connected->number(), end)) {
                return *std::move(answer);
            }
        }
        reason = errno;
        --left;
    }
    return failure(std::strerror(reason));
}

}  // namespace hora::slurm
