// Which files does Hora keep of a site's jobs, and who may read each?
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "libplanner/base/error.hpp"
#include "scripts/hora/command/atomic_file.hpp"

namespace hora::scripts {

enum class StateFile {
    status,
    metrics,
    snapshot,
    history,
    journal,
    // Of a horad that had no journal; it takes them over.
    resizes,
    given_sizes,  // of pending jobs
    past_runs,    // of elastic jobs
    replaced_plans,
    restarts,  // that horad brought about
    lock
};

// What the site keeps from other users: PrivateData in slurm.conf.
struct Privacy {
    bool hides_jobs = false;
    bool hides_accounts = false;     // or users, or what these have used
    std::optional<gid_t> slurmctld;  // the group of SlurmUser; empty: it has none

    friend bool operator==(const Privacy&, const Privacy&) = default;
};

// The primary group of a user; empty: the system does not know it.
std::optional<gid_t> group_of(uid_t user);

FileRights rights_of(StateFile file, const Privacy& privacy);

// As it is to be from now on, where it exists and is a regular file of this user's. A link in its
// place is not followed.
Expected<void> apply_rights(const std::string& path, FileRights rights);

// Where the file stands in the daemon's folder. Not for those that a setting has the path of.
std::string path_of(StateFile file, const std::string& folder);

// Renames a damaged file, and SQLite's journal of it, to "FILE.damaged-DATE", readable for its
// owner alone. Returns the new name.
Expected<std::string> set_aside(const std::string& path);

}  // namespace hora::scripts
