// How far is it? One JSON line a report, for those that watch the training.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

struct Report {
    std::uint64_t step = 0;     // steps done
    std::uint64_t epoch = 0;    // the one the step belongs to, from 1
    std::uint64_t samples = 0;  // since the first start; with a range, what they were worth
    double seconds = 0;         // since the previous line
    std::optional<double> noise_scale{};  // in samples
};

// Appends to a file whole lines or nothing; empty path = nowhere.
class Progress {
  public:
    explicit Progress(const std::string& path);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Fails at most once for each spell of bad luck: a full disk is not worth a line a step.
    Expected<void> append(const Report& report);

  private:
    bool write_line(std::string line);

    std::string path_;
    int file_ = -1;
    bool is_failing_ = false;
    bool has_torn_line_ = false;
};

}  // namespace hora::trainer
