// How does a line get into a file at once, so that it stays there whatever becomes of the process?
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace hora::mpi {

// Each line is written by a call of its own: a process that is killed leaves all of them, and at
// most the last one is not whole. Not through memory that stands for the file: a file that another
// makes shorter, or for which the disk has no room, would be a signal there that ends the program,
// and is an error here. Used by several threads.
class RecordFile {
  public:
    RecordFile() = default;
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;
    ~RecordFile() { close(); }

    // A new file, 0600; never one that is there. 0, or errno.
    int open(const std::string& path, std::size_t most_bytes);

    // 0, or an errno, which closes the file: EFBIG where it would be larger than it may be, ESTALE
    // where it was made shorter. Nothing where the file is not open.
    int append(std::string_view line);

    void close();

  private:
    int write(std::string_view line) const;
    void shut();

    std::mutex mutex_;  // guards all that follows
    int file_ = -1;
    std::size_t most_ = 0;
    std::size_t used_ = 0;  // bytes of the file that are lines
};

}  // namespace hora::mpi
