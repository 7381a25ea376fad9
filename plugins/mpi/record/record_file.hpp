// How does a line get into a file at once, so that it stays there whatever becomes of the process?
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace hora::mpi {

// Lines are copied into memory that the kernel writes to the file: a process that is killed leaves
// all of them, and at most the last one is not whole. Room is made a mebibyte at a time, before it
// is written to, so that a full disk is an error here and not a signal; until the file is closed it
// ends in zero bytes. Used by several threads.
class RecordFile {
  public:
    RecordFile() = default;
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;
    ~RecordFile() { close(); }

    // A new file, 0600; never one that is there. 0, or errno.
    int open(const std::string& path, std::size_t most_bytes);

    // 0, or an errno, which closes the file: EFBIG where it would be larger than it may be. Nothing
    // where the file is not open.
    int append(std::string_view line);

    void close();

  private:
    int make_room(std::size_t size);
    void shut();

    std::mutex mutex_;  // guards all that follows
    int file_ = -1;
    std::size_t most_ = 0;
    std::size_t used_ = 0;  // bytes of the file that are lines
    char* window_ = nullptr;
    std::size_t start_ = 0;  // of the window in the file
};

}  // namespace hora::mpi
