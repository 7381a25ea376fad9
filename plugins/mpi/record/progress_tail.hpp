// Which steps has the program reported since it was last asked?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hora::mpi {

// Follows the file of HORA_PROGRESS, from its end at the start on: what an earlier start of the job
// wrote is not of this run. Never waits, and never fails: a file that cannot be read gives nothing.
class ProgressTail {
  public:
    ProgressTail() = default;
    ProgressTail(const ProgressTail&) = delete;
    ProgressTail& operator=(const ProgressTail&) = delete;
    ~ProgressTail();

    void start(const std::string& path);
    // "step" of each line that is whole by now.
    std::vector<std::uint64_t> take_steps();

  private:
    bool open();

    std::string path_;
    int file_ = -1;
    std::int64_t read_ = 0;  // up to here
    std::string rest_;       // of a line that has no end yet
};

}  // namespace hora::mpi
