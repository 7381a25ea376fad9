// How does systemd learn in what state the daemon is?
#include "scripts/horad/failover/supervisor.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "libplanner/read/whole_number.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::horad {
namespace {

constexpr std::uint64_t most_time = std::uint64_t{1} << 50;  // microseconds

}  // namespace

void tell_supervisor(std::string_view state) {
    const char* const path = std::getenv("NOTIFY_SOCKET");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string_view name(path != nullptr ? path : "");
    if (name.empty() || name.size() >= sizeof(address.sun_path)) {
        return;
    }
    std::copy(name.begin(), name.end(), address.sun_path);
    if (name.front() == '@') {  // an abstract socket
        address.sun_path[0] = '\0';
    }
    const slurm::Descriptor file(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!file.is_open()) {
        return;
    }
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    static_cast<void>(::sendto(file.number(), state.data(), state.size(),
                               MSG_NOSIGNAL | MSG_DONTWAIT,
                               reinterpret_cast<const sockaddr*>(&address), size));
}

// Half of the time that systemd waits, as sd_watchdog_enabled(3) has it.
Watchdog::Watchdog() {
    const auto number = [](const char* name, std::uint64_t otherwise) {
        const char* const text = std::getenv(name);
        return text == nullptr
                   ? otherwise
                   : read::parse_whole_number(text, {.min = 1, .max = most_time}).value_or(0);
    };
    const auto own = static_cast<std::uint64_t>(::getpid());
    const std::uint64_t time = number("WATCHDOG_USEC", 0);
    if (time != 0 && number("WATCHDOG_PID", own) == own) {
        pause_ = std::chrono::microseconds(time / 2);
        next_ = Clock::time_point();
    }
}

void Watchdog::stay_alive(Clock::time_point now) {
    if (pause_ != Clock::duration::zero() && now >= next_) {
        tell_supervisor("WATCHDOG=1");
        next_ = now + pause_;
    }
}

}  // namespace hora::horad
