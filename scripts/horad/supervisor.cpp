// How does systemd learn in what state the daemon is?
#include "scripts/horad/supervisor.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace hora::horad {

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
    const int file = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0) {
        return;
    }
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    static_cast<void>(::sendto(file, state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                               reinterpret_cast<const sockaddr*>(&address), size));
    ::close(file);
}

}  // namespace hora::horad
