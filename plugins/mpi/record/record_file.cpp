// How does a line get into a file at once, so that it stays there whatever becomes of the process?
#include "plugins/mpi/record/record_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hora::mpi {
namespace {

constexpr std::size_t window_size = std::size_t{1} << 20;

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
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    most_ = most_bytes;
    used_ = 0;
    return file_ < 0 ? errno : 0;
}

int RecordFile::append(std::string_view line) {
    const std::lock_guard lock(mutex_);
    if (file_ < 0) {
        return 0;
    }
    if (window_ == nullptr || used_ + line.size() > start_ + window_size) {
        if (const int reason = make_room(line.size()); reason != 0) {
            shut();
            return reason;
        }
    }
    std::memcpy(window_ + (used_ - start_), line.data(), line.size());
    used_ += line.size();
    return 0;
}

int RecordFile::make_room(std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t start = used_ / page * page;
    if (used_ + size > most_ || size > window_size - page || !is_allowed(start + window_size)) {
        return EFBIG;
    }
    const int reason =
        posix_fallocate(file_, static_cast<off_t>(start), static_cast<off_t>(window_size));
    if (reason != 0) {
        return reason;
    }
    void* const window = mmap(nullptr, window_size, PROT_READ | PROT_WRITE, MAP_SHARED, file_,
                              static_cast<off_t>(start));
    if (window == MAP_FAILED) {
        return errno;
    }
    if (window_ != nullptr) {
        munmap(window_, window_size);
    }
    window_ = static_cast<char*>(window);
    start_ = start;
    return 0;
}

void RecordFile::close() {
    const std::lock_guard lock(mutex_);
    shut();
}

void RecordFile::shut() {
    if (window_ != nullptr) {
        munmap(window_, window_size);
        window_ = nullptr;
    }
    if (file_ >= 0) {
        // Where it fails zero bytes stay, which are no text.
        static_cast<void>(ftruncate(file_, static_cast<off_t>(used_)) == 0);
        ::close(file_);
        file_ = -1;
    }
}

}  // namespace hora::mpi
