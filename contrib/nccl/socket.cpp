// A TCP connection whose every wait has a limit.
#include "contrib/nccl/socket.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace hora::trainer {
namespace {

constexpr int backlog = 1024;
// A machine that is gone is noticed after a minute, also where nothing is sent.
constexpr int seconds_idle = 20;
constexpr int seconds_between_probes = 10;
constexpr int most_probes = 4;

struct FreeAddresses {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

tl::unexpected<Error> system_failure(int error) {
    return failure(std::strerror(error));
}

bool is_ready(int number, short events, Clock::time_point until) {
    pollfd entry{.fd = number, .events = events, .revents = 0};
    while (true) {
        const int ready = poll(&entry, 1, milliseconds_until(until));
        const bool is_over = ready < 0 ? errno != EINTR : Clock::now() >= until;
        if (ready > 0 || is_over) {
            return ready > 0;
        }
    }
}

void prepare(int number) {
    const int on = 1;
    setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(number, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(number, IPPROTO_TCP, TCP_KEEPIDLE, &seconds_idle, sizeof seconds_idle);
    setsockopt(number, IPPROTO_TCP, TCP_KEEPINTVL, &seconds_between_probes,
               sizeof seconds_between_probes);
    setsockopt(number, IPPROTO_TCP, TCP_KEEPCNT, &most_probes, sizeof most_probes);
}

Expected<Addresses> find_addresses(const std::string& name, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int error = getaddrinfo(name.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (error != 0) {
        return failure(gai_strerror(error));
    }
    return Addresses(found);
}

Expected<Socket> connect_to(const addrinfo& address, Clock::time_point until) {
    Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.is_open()) {
        return system_failure(errno);
    }
    if (connect(socket.number(), address.ai_addr, address.ai_addrlen) != 0) {
        if (errno != EINPROGRESS) {
            return system_failure(errno);
        }
        if (!is_ready(socket.number(), POLLOUT, until)) {
            return system_failure(ETIMEDOUT);
        }
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size);
        if (error != 0) {
            return system_failure(error);
        }
    }
    prepare(socket.number());
    return socket;
}

// The IPv4 address to listen at: one of this machine alone where ranks elsewhere cannot reach the
// name, so that all of them are here; otherwise any.
in_addr address_for(const std::string& name) {
    const bool is_here = name == "localhost" || name == "::1";
    in_addr address{};
    const bool is_number = inet_aton(is_here ? "127.0.0.1" : name.c_str(), &address) != 0;
    const bool is_loopback = is_number && ntohl(address.s_addr) >> 24 == IN_LOOPBACKNET;
    return is_loopback ? address : in_addr{.s_addr = htonl(INADDR_ANY)};
}

Expected<Socket> listen_with(int family, const std::string& name, std::uint16_t port) {
    Socket socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.is_open()) {
        return system_failure(errno);
    }
    const int on = 1;
    const int off = 0;
    setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    six.sin6_addr = name == "::1" ? in6addr_loopback : in6addr_any;
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    four.sin_addr = address_for(name);
    const bool is_six = family == AF_INET6;
    if (is_six) {
        setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    }
    const auto* const address =
        is_six ? reinterpret_cast<const sockaddr*>(&six) : reinterpret_cast<const sockaddr*>(&four);
    const socklen_t size = is_six ? sizeof six : sizeof four;
    if (bind(socket.number(), address, size) != 0 || listen(socket.number(), backlog) != 0) {
        return system_failure(errno);
    }
    return socket;
}

}  // namespace

int milliseconds_until(Clock::time_point until, Clock::time_point now) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

void Socket::close() {
    if (number_ >= 0) {
        ::close(std::exchange(number_, -1));
    }
}

Expected<std::size_t> Socket::receive_some(std::span<std::byte> bytes) const {
    const ssize_t size = recv(number_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size > 0) {
        return static_cast<std::size_t>(size);
    }
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return std::size_t{0};
    }
    return size == 0 ? failure("it has ended the connection") : system_failure(errno);
}

Expected<void> Socket::receive(std::span<std::byte> bytes, Clock::time_point until) const {
    while (!bytes.empty()) {
        if (!waits_for_input(until)) {
            return failure("nothing comes");
        }
        const auto size = receive_some(bytes);
        if (!size) {
            return unexpected(size.error());
        }
        bytes = bytes.subspan(*size);
    }
    return {};
}

Expected<void> Socket::send(std::span<const std::byte> bytes, Clock::time_point until) const {
    while (!bytes.empty()) {
        const ssize_t size =
            ::send(number_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (size >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(size));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!is_ready(number_, POLLOUT, until)) {
                return failure("it takes nothing");
            }
        } else if (errno != EINTR) {
            return system_failure(errno);
        }
    }
    return {};
}

bool Socket::waits_for_input(Clock::time_point until) const {
    return is_ready(number_, POLLIN, until);
}

bool Socket::has_ended() const {
    pollfd entry{.fd = number_, .events = POLLRDHUP, .revents = 0};
    return poll(&entry, 1, 0) > 0;
}

Expected<Socket> listen_at(const std::string& name, std::uint16_t port) {
    // A listener for IPv6 takes IPv4 too, where the machine has IPv6; that for one machine does
    // not.
    if (name == "::1" || address_for(name).s_addr == htonl(INADDR_ANY)) {
        if (auto socket = listen_with(AF_INET6, name, port)) {
            return socket;
        }
    }
    return listen_with(AF_INET, name, port);
}

Expected<Socket> accept_from(const Socket& listener) {
    Socket socket(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.is_open()) {
        prepare(socket.number());
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        return system_failure(errno);
    }
    return socket;
}

void allow_open_files(std::size_t count) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < count) {
        limit.rlim_cur = std::min<rlim_t>(count, limit.rlim_max);
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

Expected<Socket> connect_to(const std::string& name, std::uint16_t port, Clock::time_point until) {
    const auto addresses = find_addresses(name, port);
    if (!addresses) {
        return unexpected(addresses.error());
    }
    int untried = 0;
    for (const addrinfo* address = addresses->get(); address != nullptr;
         address = address->ai_next) {
        ++untried;
    }
    Expected<Socket> outcome = failure("it has no address");
    for (const addrinfo* address = addresses->get(); !outcome && address != nullptr;
         address = address->ai_next) {
        // One that does not answer leaves the others their share of the time.
        const Clock::time_point now = Clock::now();
        outcome = connect_to(*address, now + (until - now) / untried--);
    }
    return outcome;
}

}  // namespace hora::trainer
