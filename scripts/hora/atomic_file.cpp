// How is a file replaced so that a reader sees the old or the new one, and never half of it?
#include "scripts/hora/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hora::scripts {
namespace {

Error refusal(const std::string& path, std::string_view verb) {
    return {fmt::format("cannot {} \"{}\": {}; the old file, if any, is unchanged", verb, path,
                        std::strerror(errno))};
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return true;
}

// The rename itself is on disk only when its folder is.
void sync_folder(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0) {
        ::fsync(opened);
        ::close(opened);
    }
}

}  // namespace

Expected<void> replace_file(const std::string& path, std::string_view text) {
    std::string temporary = path + ".XXXXXX";
    const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0) {
        return unexpected(refusal(path, "create a file beside"));
    }
    const bool is_written =
        write_all(file, text) && ::fchmod(file, 0644) == 0 && ::fsync(file) == 0;
    const int reason = errno;
    const bool is_closed = ::close(file) == 0;
    if (!is_written) {
        errno = reason;
    }
    if (!is_written || !is_closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
        const Error error = refusal(path, "write");
        ::unlink(temporary.c_str());
        return unexpected(error);
    }
    sync_folder(path);
    return {};
}

}  // namespace hora::scripts
