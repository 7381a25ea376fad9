// A TCP connection whose every wait has a limit.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

using Clock = std::chrono::steady_clock;

class Socket {
  public:
    Socket() = default;
    explicit Socket(int number) : number_(number) {}
    ~Socket() { close(); }
    Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }
    void close();

    // Of the bytes that have come, as many as fit; 0 where none has. Fails where the other side has
    // ended the connection.
    Expected<std::size_t> receive_some(std::span<std::byte> bytes) const;
    Expected<void> receive(std::span<std::byte> bytes, Clock::time_point until) const;
    Expected<void> send(std::span<const std::byte> bytes, Clock::time_point until) const;
    // Whether bytes come, or the end, before the time is over.
    bool waits_for_input(Clock::time_point until) const;
    // Whether the other side has ended the connection; bytes before its end may still be there.
    bool has_ended() const;

  private:
    int number_ = -1;
};

// Milliseconds as poll() wants them: at least 1 where there is time left, 0 where there is none.
int milliseconds_until(Clock::time_point until, Clock::time_point now = Clock::now());

// For connections to any of the machine's addresses, or from the machine itself where the name of
// the first rank is of no other.
Expected<Socket> listen_at(const std::string& name, std::uint16_t port);
// An empty socket where no process waits for a connection. Fails where this one may not have one
// more.
Expected<Socket> accept_from(const Socket& listener);
// Raises the limit of open files to so many, or as far as this process may.
void allow_open_files(std::size_t count);
Expected<Socket> connect_to(const std::string& name, std::uint16_t port, Clock::time_point until);

}  // namespace hora::trainer
