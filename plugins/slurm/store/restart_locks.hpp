// Which jobs does horad restart just now, so that their owners can change little of them?
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// Below the daemon's own folder (horad.state).
std::string restart_locks_folder(const std::string& state);

struct RestartLock {
    std::uint32_t uid = 0;  // the job's owner
    // horad changes a job in its owner's name; by this it is known from its owner.
    std::string key;
    // What somebody else has set since counts, and not what was set at an earlier restart, which
    // had another number.
    std::uint64_t number = 0;
    bool is_kept = true;  // its owner can change little of it

    friend bool operator==(const RestartLock&, const RestartLock&) = default;
};

// So long a file counts after horad wrote it last, in seconds: a daemon that is stopped keeps an
// owner from nothing.
constexpr std::int64_t longest_lock = 600;

// One folder, which only horad and slurmctld come near; one small file a job, named by its number.
class RestartLocks {
  public:
    explicit RestartLocks(std::string folder) : folder_(std::move(folder)) {}

    // Also anew, so that it goes on counting. A file appears whole or not at all.
    Expected<void> take(std::uint32_t job, const RestartLock& lock) const;
    void let_go(std::uint32_t job) const;
    std::vector<std::uint32_t> jobs() const;

    // Empty where it has no lock, or the file cannot be trusted. `now`: seconds since the epoch.
    // For slurmctld: one system call for a job that has no lock, and three for one that has, on a
    // file of a hundred bytes at most; it takes no lock and asks nobody.
    std::optional<RestartLock> of(std::uint32_t job, uid_t trusted_user, std::int64_t now) const;

    const std::string& folder() const { return folder_; }

  private:
    std::string path_of(std::uint32_t job) const;

    std::string folder_;
};

}  // namespace hora::slurm
