// What stands in a file, whole and bounded?
#include "libplanner/read/file.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "libplanner/read/quoted.hpp"

namespace hora::read {

Expected<std::string> read_open_file(int descriptor, std::string_view name, std::size_t limit) {
    std::string text;
    char piece[65536];
    for (;;) {
        const ssize_t count = ::read(descriptor, piece, sizeof piece);
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            pollfd entry{.fd = descriptor, .events = POLLIN, .revents = 0};
            ::poll(&entry, 1, -1);
            continue;
        }
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return failure(fmt::format("cannot read {}: {}", name, std::strerror(errno)));
        }
        if (count == 0) {
            return text;
        }
        const auto size = static_cast<std::size_t>(count);
        if (size > limit - text.size()) {
            return failure(fmt::format(
                "{} is larger than {} bytes, the most that is read of such a file", name, limit));
        }
        text.append(piece, size);
    }
}

Expected<std::string> read_file(const std::string& path, std::size_t limit) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                               &std::fclose);
    if (!file) {
        return failure(fmt::format("cannot open {}: {}", quoted_path(path), std::strerror(errno)));
    }
    return read_open_file(::fileno(file.get()), quoted_path(path), limit);
}

}  // namespace hora::read
