// Whole files, written so that no reader ever sees half of one.
#include "contrib/trainer/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace hora::trainer {
namespace {

class Descriptor {
  public:
    Descriptor(const std::string& path, int flags) : number_(open(path.c_str(), flags, 0600)) {}
    ~Descriptor() {
        if (number_ >= 0) {
            close(number_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }

  private:
    int number_;
};

tl::unexpected<Error> system_failure(std::string_view what, const std::string& path) {
    return failure(fmt::format("cannot {} \"{}\": {}", what, path, std::strerror(errno)));
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

Expected<void> write_file(const std::string& path, std::string_view bytes) {
    const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
    if (!file.is_open() || !write_all(file.number(), bytes) || fsync(file.number()) != 0) {
        return system_failure("write", path);
    }
    return {};
}

Expected<std::string> read_all(const Descriptor& file, const std::string& path, std::size_t limit) {
    std::string bytes;
    std::array<char, 1 << 16> part;
    while (true) {
        const ssize_t size = read(file.number(), part.data(), part.size());
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size < 0) {
            return system_failure("read", path);
        }
        if (size == 0) {
            return bytes;
        }
        bytes.append(part.data(), static_cast<std::size_t>(size));
        if (bytes.size() > limit) {
            return failure(fmt::format("\"{}\" is larger than {} bytes", path, limit));
        }
    }
}

}  // namespace

Expected<void> replace_file(const std::string& folder, const std::string& name,
                            std::string_view bytes) {
    const std::string unfinished = fmt::format("{}/{}{}", folder, unfinished_prefix, name);
    const std::string path = folder + "/" + name;
    if (auto written = write_file(unfinished, bytes); !written) {
        unlink(unfinished.c_str());
        return written;
    }
    if (rename(unfinished.c_str(), path.c_str()) != 0) {
        auto error = system_failure("rename to", path);
        unlink(unfinished.c_str());
        return error;
    }
    const Descriptor directory(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!directory.is_open() || fsync(directory.number()) != 0) {
        return system_failure("fsync", folder);
    }
    return {};
}

Expected<void> write_private_file(const std::string& path, std::string_view bytes) {
    unlink(path.c_str());
    const Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);
    if (!file.is_open() || !write_all(file.number(), bytes)) {
        return system_failure("write", path);
    }
    return {};
}

Expected<std::string> read_private_file(const std::string& path, std::size_t limit) {
    const Descriptor file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat found {};
    if (!file.is_open() || fstat(file.number(), &found) != 0) {
        return system_failure("read", path);
    }
    constexpr mode_t of_others = 077;
    if (!S_ISREG(found.st_mode) || found.st_uid != geteuid() || (found.st_mode & of_others) != 0) {
        return failure(fmt::format("\"{}\" is no file of this user's alone; remove it", path));
    }
    return read_all(file, path, limit);
}

Expected<std::string> read_file(const std::string& path, std::size_t limit) {
    const Descriptor file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (!file.is_open()) {
        return system_failure("read", path);
    }
    return read_all(file, path, limit);
}

}  // namespace hora::trainer
