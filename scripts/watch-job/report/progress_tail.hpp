// How far is the program, and how fast, by what it has appended to its progress file since this
// start?
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "libplanner/domain/progress.hpp"

namespace hora::watch {

class ProgressTail {
  public:
    // What stands in the file already is of earlier starts.
    explicit ProgressTail(std::string path);

    // Reads what is new, within bounds; true where a report came.
    bool look();

    // The newest report of this start; empty before the first.
    const std::optional<domain::ProgressReport>& newest() const { return newest_; }
    // Median over the newest reports; 0 before the second.
    Seconds step_seconds() const;
    // The newest that was reported in this start; 0: none.
    std::uint64_t noise_scale() const { return noise_scale_; }

  private:
    void take(std::string_view lines);

    std::string path_;
    off_t place_ = 0;
    std::string torn_;  // the beginning of a line that is still being written
    std::optional<domain::ProgressReport> newest_;
    std::deque<Seconds> step_times_;
    std::uint64_t noise_scale_ = 0;
};

}  // namespace hora::watch
