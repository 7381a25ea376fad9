// How does a line get into a file at once, so that it stays there whatever becomes of the process?
#include "plugins/mpi/record/record_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace hora::mpi {
namespace {

// More than the limit is a signal, which would end the program.
bool is_allowed(std::size_t size) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           size <= limit.rlim_cur;
}

}  // namespace

int RecordFile::open(const std::string& path, std::size_t most_bytes) {
    const std::lock_guard lock(mutex_);
    shut();
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    most_ = most_bytes;
    used_ = 0;
    return file_ < 0 ? errno : 0;
}

int RecordFile::append(std::string_view line) {
    const std::lock_guard lock(mutex_);
    if (file_ < 0) {
        return 0;
    }
    const int reason = write(line);
    if (reason == 0) {
        used_ += line.size();
        return 0;
    }
    // Where it fails the last line is not whole. A file that is shorter stays so.
    if (reason != ESTALE) {
        static_cast<void>(ftruncate(file_, static_cast<off_t>(used_)) == 0);
    }
    shut();
    return reason;
}

int RecordFile::write(std::string_view line) const {
    if (line.size() > most_ - used_ || !is_allowed(used_ + line.size())) {
        return EFBIG;
    }
    struct stat found {};
    if (fstat(file_, &found) != 0) {
        return errno;
    }
    // A line after its end would leave a hole.
    if (found.st_size < static_cast<off_t>(used_)) {
        return ESTALE;
    }
    for (std::size_t done = 0; done < line.size();) {
        const ssize_t count =
            pwrite(file_, line.data() + done, line.size() - done, static_cast<off_t>(used_ + done));
        if (count < 0 && errno != EINTR) {
            return errno;
        }
        done += count < 0 ? 0 : static_cast<std::size_t>(count);
    }
    return 0;
}

void RecordFile::close() {
    const std::lock_guard lock(mutex_);
    shut();
}

void RecordFile::shut() {
    if (file_ >= 0) {
        ::close(file_);
        file_ = -1;
    }
}

}  // namespace hora::mpi
