// How is a file replaced so that a reader sees the old or the new one, and never half of it?
#include "scripts/hora/command/atomic_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "plugins/slurm/store/write_all.hpp"

namespace hora::scripts {
namespace {

using slurm::write_all;

Error refusal(const std::string& path, std::string_view verb) {
    return {fmt::format("cannot {} \"{}\": {}; the old file, if any, is unchanged", verb, path,
                        std::strerror(errno))};
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// The rename itself is on disk only when its folder is.
void sync_folder(const std::string& path) {
    const std::string folder = folder_of(path);
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0) {
        ::fsync(opened);
        ::close(opened);
    }
}

// Which of our open files the name means. Opened anew it would be written from its beginning, over
// what else we write there.
std::optional<int> descriptor_of(std::string_view path) {
    if (path == "/dev/stdout" || path == "/dev/stderr") {
        return path == "/dev/stdout" ? STDOUT_FILENO : STDERR_FILENO;
    }
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        int number = 0;
        if (path.starts_with(folder)) {
            const char* const end = path.data() + path.size();
            const auto read = std::from_chars(path.data() + folder.size(), end, number);
            if (read.ec == std::errc() && read.ptr == end) {
                return number;
            }
        }
    }
    return std::nullopt;
}

// A device or a pipe must not give way to a file, nor one that is open: it is written to.
bool is_special(const std::string& path) {
    struct stat status {};
    return descriptor_of(path) || (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode));
}

int open_special(const std::string& path) {
    if (const auto descriptor = descriptor_of(path)) {
        std::fflush(nullptr);  // what was written before comes before
        return ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
    }
    return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

Expected<void> write_special(const std::string& path, std::string_view text) {
    const int file = open_special(path);
    const bool is_written = file >= 0 && write_all(file, text);
    const int reason = errno;
    const bool is_closed = file >= 0 && ::close(file) == 0;
    if (!is_written || !is_closed) {
        errno = is_written ? errno : reason;
        return failure(fmt::format("cannot write \"{}\": {}", path, std::strerror(errno)));
    }
    return {};
}

// A person gives no such name to a copy, which would be removed.
constexpr std::string_view temporary_mark = ".new-";
constexpr std::string_view drawn = "XXXXXX";  // each of these, by mkostemp(3) or as it does
constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

std::string temporary_name(const std::string& path) {
    return fmt::format("{}{}{}", path, temporary_mark, drawn);
}

bool is_temporary_of(std::string_view name, std::string_view of) {
    const std::size_t fixed = of.size() + temporary_mark.size();
    return name.size() == fixed + drawn.size() && name.starts_with(of) &&
           name.substr(of.size()).starts_with(temporary_mark) &&
           name.find_first_not_of(letters, fixed) == std::string_view::npos;
}

// Unlike mkostemp(3) it leaves the mode of the file to the umask, which no thread can read without
// changing it for the others.
int make_temporary(std::string& name) {
    constexpr int most_tries = 100;
    std::random_device random;
    std::uniform_int_distribution<std::size_t> any(0, letters.size() - 1);
    for (int i = 0; i < most_tries; ++i) {
        std::generate(name.end() - drawn.size(), name.end(), [&] { return letters[any(random)]; });
        const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) {
            return file;
        }
    }
    return -1;
}

// Of the file that is replaced; empty: there is none.
std::optional<mode_t> present_mode(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(status.st_mode & 0777U)
                                              : std::nullopt;
}

// `mode`: empty where `file` has it already.
Expected<void> fill_and_rename(int file, const std::string& temporary, const std::string& path,
                               std::string_view text, std::optional<mode_t> mode) {
    if (file < 0) {
        return unexpected(refusal(path, "create a file beside"));
    }
    const bool is_written =
        write_all(file, text) && (!mode || ::fchmod(file, *mode) == 0) && ::fsync(file) == 0;
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

struct FolderCloser {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

AsGroup::AsGroup(std::optional<gid_t> group) {
    if (group) {
        before_ = static_cast<gid_t>(::setfsgid(*group));
    }
}

AsGroup::~AsGroup() {
    if (before_) {
        ::setfsgid(*before_);
    }
}

void remove_temporaries(const std::string& path, std::chrono::seconds age) {
    const std::string folder = folder_of(path);
    const std::string name = path.substr(path.rfind('/') + 1);
    const std::unique_ptr<DIR, FolderCloser> opened(::opendir(folder.c_str()));
    std::vector<std::string> found;
    while (const dirent* const entry = opened ? ::readdir(opened.get()) : nullptr) {
        if (is_temporary_of(entry->d_name, name)) {
            found.emplace_back(entry->d_name);
        }
    }
    for (const std::string& one : found) {
        struct stat status {};
        const int place = ::dirfd(opened.get());
        if (::fstatat(place, one.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
            status.st_mtime <= std::time(nullptr) - age.count()) {
            ::unlinkat(place, one.c_str(), 0);
        }
    }
}

Expected<void> replace_file(const std::string& path, std::string_view text, FileRights rights) {
    if (is_special(path)) {
        return write_special(path, text);
    }
    std::string temporary = temporary_name(path);
    const int file = [&] {
        const AsGroup as_group(rights.group);
        return ::mkostemp(temporary.data(), O_CLOEXEC);
    }();
    return fill_and_rename(file, temporary, path, text, rights.mode);
}

Expected<void> replace_file(const std::string& path, std::string_view text) {
    if (is_special(path)) {
        return write_special(path, text);
    }
    const std::optional<mode_t> mode = present_mode(path);
    std::string temporary = temporary_name(path);
    // What replaces a private file is private from the beginning.
    const int file = mode ? ::mkostemp(temporary.data(), O_CLOEXEC) : make_temporary(temporary);
    return fill_and_rename(file, temporary, path, text, mode);
}

}  // namespace hora::scripts
