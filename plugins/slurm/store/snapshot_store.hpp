// What is the newest good snapshot? A thread of its own keeps watch; asking for it never waits.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "libplanner/base/units.hpp"
#include "plugins/slurm/store/shared_value.hpp"
#include "plugins/slurm/store/snapshot_file.hpp"

namespace hora::slurm {

class SnapshotStore {
  public:
    // Called from the thread, once a change: the file became missing, unsafe, corrupt or stale
    // (is_good false), or good again. It must not call back into the store.
    using Report = std::function<void(bool is_good, const std::string& message)>;

    // Starts the thread, with every signal blocked in it. Throws std::system_error when there is
    // no thread to be had.
    SnapshotStore(SnapshotSource source, Report report, Seconds period = Seconds(1));
    // Ends the thread at once. In a child of fork(), where the thread does not exist, does nothing.
    ~SnapshotStore();
    SnapshotStore(const SnapshotStore&) = delete;
    SnapshotStore& operator=(const SnapshotStore&) = delete;

    // The newest snapshot, or null while there is none that is fresh and sound. The caller keeps
    // what it gets, whatever the thread swaps in meanwhile.
    SharedSnapshot current() const { return current_.load(); }

  private:
    struct Stop {
        std::mutex mutex;
        std::condition_variable changed;
        bool is_asked = false;
    };

    void watch();
    void look();

    SnapshotFile file_;
    Report report_;
    Seconds period_;
    SharedValue<const domain::Snapshot> current_;
    std::unique_ptr<Stop> stop_;
    pid_t owner_;
    std::unique_ptr<std::thread> thread_;
};

}  // namespace hora::slurm
