// Is the snapshot file there, safe to trust, readable and recent? Looks at most once a change.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"
#include "libplanner/domain/snapshot.hpp"

namespace hora::slurm {

struct SnapshotSource {
    std::string path;
    Seconds max_age;         // older than this since `written` it is stale
    uid_t trusted_user = 0;  // SlurmUser; root is trusted too
};

using SharedSnapshot = std::shared_ptr<const domain::Snapshot>;

// Reads a file that root will act on: no symbolic link at its end, a regular file of root's or of
// the trusted user's that nobody else can write, at most read::max_snapshot_size.
Expected<std::string> read_trusted_file(const std::string& path, uid_t trusted_user);

class SnapshotFile {
  public:
    explicit SnapshotFile(SnapshotSource source);

    // The snapshot as of `now` (seconds since the epoch), parsed anew only when the file has
    // changed. Fails when it is missing, unsafe, corrupt or stale.
    Expected<SharedSnapshot> look(std::int64_t now);
    // Has the answer of the last look() not been given before? A good file after a good file is no
    // news.
    bool is_news() const { return is_news_; }

  private:
    // What shows one file from the next: rename makes a new inode, and the time is that of the last
    // change, of its mode too.
    struct Identity {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::int64_t seconds = 0;
        std::int64_t nanoseconds = 0;
        std::int64_t size = -1;

        friend bool operator==(const Identity&, const Identity&) = default;
    };
    enum class State { unknown, good, missing, unreadable, stale };

    Expected<SharedSnapshot> judge(std::int64_t now, State& state);
    void load(const Identity& identity);

    SnapshotSource source_;
    Identity identity_;
    Expected<SharedSnapshot> loaded_;
    State last_state_ = State::unknown;
    Identity last_identity_;
    bool is_news_ = false;
};

}  // namespace hora::slurm
