// Ranks as processes of their own, each of which says how it went.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace hora::trainer {

// A port at which nobody listens.
inline std::uint16_t free_port() {
    const int number = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(number, reinterpret_cast<sockaddr*>(&address), size);
    getsockname(number, reinterpret_cast<sockaddr*>(&address), &size);
    close(number);
    return ntohs(address.sin_port);
}

class Process {
  public:
    explicit Process(const std::function<std::string()>& work) {
        int ends[2];
        if (pipe(ends) != 0) {
            return;
        }
        pid_ = fork();
        if (pid_ == 0) {
            close(ends[0]);
            const std::string text = work();
            const bool is_written =
                write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
            _exit(is_written ? 0 : 1);
        }
        close(ends[1]);
        output_ = ends[0];
    }
    Process(Process&& other) noexcept
        : pid_(std::exchange(other.pid_, -1)), output_(std::exchange(other.output_, -1)) {}
    Process& operator=(Process&&) = delete;
    ~Process() { end(); }

    // What it said; after a minute it is killed and has said less.
    std::string result() {
        std::string text;
        std::array<char, 4096> part;
        while (has_output(60'000)) {
            const ssize_t size = read(output_, part.data(), part.size());
            if (size <= 0) {
                break;
            }
            text.append(part.data(), static_cast<std::size_t>(size));
        }
        end();
        return text;
    }

    bool has_output(int milliseconds) const {
        pollfd entry{.fd = output_, .events = POLLIN, .revents = 0};
        return poll(&entry, 1, milliseconds) > 0;
    }

  private:
    void end() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            waitpid(std::exchange(pid_, -1), nullptr, 0);
            close(output_);
        }
    }

    pid_t pid_ = -1;
    int output_ = -1;
};

}  // namespace hora::trainer
