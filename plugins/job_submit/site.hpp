// What do the site's settings and the snapshot say now? Both are looked after by threads of their
// own; asking never waits and never touches a file.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "libplanner/domain/decision.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "plugins/job_submit/known_workloads.hpp"
#include "plugins/job_submit/recent.hpp"
#include "plugins/job_submit/set_meanwhile.hpp"
#include "plugins/slurm/store/shared_value.hpp"
#include "plugins/slurm/store/snapshot_store.hpp"

namespace hora::submit {

class Site {
  public:
    // Reads the settings once, then watches them. Throws where there is no thread to be had.
    explicit Site(std::string settings_path);
    // Ends the thread at once. In a child of fork(), where the thread does not exist, waits for
    // nothing.
    ~Site();
    Site(const Site&) = delete;
    Site& operator=(const Site&) = delete;

    // The last that could be read; null where none ever could.
    std::shared_ptr<const read::Settings> settings() const { return settings_.load(); }
    // Null while there is no fresh, sound snapshot.
    slurm::SharedSnapshot snapshot() const;

    Recent& recent() { return recent_; }
    KnownWorkloads& workloads() { return workloads_; }
    SetMeanwhile& set_meanwhile() { return set_meanwhile_; }

    // Leaves the decision with horad, where there is one, and returns the word for the job. `now`:
    // seconds since the epoch. A few system calls, none of which waits for the disk.
    std::string keep(const domain::Decision& decision, std::int64_t now);

  private:
    // What shows one file from the next; the time is that of the last change, of its mode too.
    struct Identity {
        bool exists = false;
        std::uint64_t inode = 0;
        std::int64_t seconds = 0;
        std::int64_t nanoseconds = 0;
        std::int64_t size = 0;

        friend bool operator==(const Identity&, const Identity&) = default;
    };

    struct Stop {
        std::mutex mutex;
        std::condition_variable changed;
        bool is_asked = false;
    };

    Identity identify() const;
    void watch();
    void load();
    void report_unreadable(const std::string& why) const;
    void follow_snapshot(const read::Settings& settings);
    // Does horad take records at all, or do they pile up?
    void look_at_spool();
    // Each change once.
    void report_spool(const std::string& folder, const std::string& trouble);

    Recent recent_;
    KnownWorkloads workloads_;
    SetMeanwhile set_meanwhile_;
    const std::string path_;
    Identity identity_;
    slurm::SharedValue<const read::Settings> settings_;
    slurm::SharedValue<const slurm::SnapshotStore> store_;
    std::atomic<bool> is_spool_full_ = false;
    std::mutex spool_mutex_;
    std::optional<std::string> spool_trouble_;  // that was reported last; empty: there is none
    std::string snapshot_path_;
    Seconds snapshot_age_;
    std::unique_ptr<Stop> stop_;
    pid_t owner_;
    std::thread thread_;
};

}  // namespace hora::submit
