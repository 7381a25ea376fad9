// What stands in a progress file (HORA_PROGRESS)?
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/progress.hpp"

namespace hora::read {

constexpr std::size_t longest_progress_line = 1024;
constexpr std::size_t most_progress_reports = 1'000'000;

struct Progress {
    std::vector<domain::ProgressReport> reports;  // in the order of the file
    std::size_t unreadable = 0;                   // lines that were torn or something else
};

// One JSON object a line: step, epoch, samples (whole numbers), seconds, and noise_scale where the
// program knows it, which is passed over where it is no positive number. The file's writer
// may be stopped, or out of disk, in the middle of a line, and may still be writing the last one:
// such a line is counted and left out. A key that is missing or new does not spoil a line, but a
// line without "step" and "seconds" is unreadable. Of a longer file only the newest
// most_progress_reports are kept. Fails where lines stand but none is readable.
Expected<Progress> read_progress(std::string_view text);

}  // namespace hora::read
