// When is the snapshot that submissions are planned on written anew?
#pragma once

#include <chrono>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/snapshot.hpp"
#include "scripts/history/digest.hpp"
#include "scripts/hora/command/atomic_file.hpp"

namespace hora::horad {

class SnapshotWriter {
  public:
    using Clock = std::chrono::steady_clock;

    // `max_age`: beyond it readers take the file for stale.
    SnapshotWriter(std::string path, Seconds max_age);

    // With what earlier runs measured. Writes where `is_news`, or that is new, or before the file
    // gets old; as of `now`, seconds since the epoch. False: nothing was to be written. A failure
    // is tried again at the next call.
    Expected<bool> write(const domain::Snapshot& cluster, const history::Digest& digest,
                         bool is_news, scripts::FileRights rights, std::int64_t now);

    // Since the last good one.
    std::chrono::duration<double> age() const { return Clock::now() - written_; }

  private:
    std::string path_;
    std::chrono::duration<double> longest_pause_;
    bool is_due_ = true;
    history::Digest digest_;  // as written
    Clock::time_point written_;
};

}  // namespace hora::horad
