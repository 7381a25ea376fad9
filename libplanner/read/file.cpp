// What stands in a file, whole and bounded?
#include "libplanner/read/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

tl::unexpected<Error> cannot_open(const std::string& path) {
    return failure(fmt::format("cannot open {}: {}", quoted_path(path), std::strerror(errno)));
}

}  // namespace

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
    const File file(std::fopen(path.c_str(), "rbe"), &std::fclose);
    if (!file) {
        return cannot_open(path);
    }
    return read_open_file(::fileno(file.get()), quoted_path(path), limit);
}

Expected<std::string> read_regular_file(const std::string& path, Links links, std::size_t limit) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC |
                                                    (links == Links::refuse ? O_NOFOLLOW : 0));
    if (descriptor < 0) {
        return cannot_open(path);
    }
    const File file(::fdopen(descriptor, "rb"), &std::fclose);
    struct stat found {};
    if (::fstat(descriptor, &found) != 0) {
        return cannot_open(path);
    }
    if (!S_ISREG(found.st_mode)) {
        return failure(fmt::format("{} is no regular file", quoted_path(path)));
    }
    return read_open_file(descriptor, quoted_path(path), limit);
}

}  // namespace hora::read
