// Which files does Hora keep of a site's jobs, and who may read each?
#include "scripts/hora/site/state_files.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "libplanner/read/quoted.hpp"
#include "plugins/slurm/system_user.hpp"

namespace hora::scripts {
namespace {

enum class Readers { everybody, slurmctld, group, horad };
enum class Holds { no_job, jobs, jobs_and_accounts };

struct Row {
    StateFile file;
    const char* name;  // empty: a setting has its path
    Holds holds;
    Readers open;
    Readers hidden;  // where the site hides what it holds
};

// Other users learn of jobs by these files alone, and only where the site hides none. slurmctld
// plans on the snapshot. A collector of metrics reads through the group of the folder that the
// setting names.
constexpr Row rows[] = {
    {StateFile::status, "status.json", Holds::jobs, Readers::everybody, Readers::horad},
    {StateFile::metrics, "", Holds::jobs, Readers::everybody, Readers::group},
    {StateFile::snapshot, "", Holds::jobs_and_accounts, Readers::everybody, Readers::slurmctld},
    {StateFile::history, "", Holds::jobs, Readers::everybody, Readers::horad},
    {StateFile::journal, "journal.db", Holds::jobs, Readers::horad, Readers::horad},
    {StateFile::resizes, "resizes.json", Holds::jobs, Readers::horad, Readers::horad},
    {StateFile::given_sizes, "resized.json", Holds::jobs, Readers::horad, Readers::horad},
    {StateFile::past_runs, "jobs.json", Holds::jobs, Readers::horad, Readers::horad},
    {StateFile::replaced_plans, "replans.json", Holds::jobs, Readers::horad, Readers::horad},
    {StateFile::restarts, "restarts.json", Holds::jobs, Readers::horad, Readers::horad},
    {StateFile::lock, "", Holds::no_job, Readers::everybody, Readers::everybody},
};

const Row& row_of(StateFile file) {
    return *std::find_if(std::begin(rows), std::end(rows),
                         [&](const Row& row) { return row.file == file; });
}

FileRights rights_for(Readers readers, const Privacy& privacy) {
    constexpr mode_t owner = 0600;
    constexpr mode_t owner_and_group = 0640;
    constexpr mode_t all = 0644;
    switch (readers) {
        case Readers::everybody:
            return {.mode = all};
        case Readers::slurmctld:
            return privacy.slurmctld ? FileRights{owner_and_group, privacy.slurmctld}
                                     : FileRights{.mode = owner};
        case Readers::group:
            return {.mode = owner_and_group};
        case Readers::horad:
            break;
    }
    return {.mode = owner};
}

tl::unexpected<Error> refusal(const char* verb, const std::string& path) {
    return failure(fmt::format("cannot {} {}: {}", verb, read::quoted(path), std::strerror(errno)));
}

// Not the name of an earlier one of the same second.
std::string free_name(const std::string& path) {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const std::string dated = fmt::format("{}.damaged-{:%Y-%m-%dT%H:%M:%SZ}", path, now);
    std::string name = dated;
    struct stat status {};
    for (int i = 2; ::lstat(name.c_str(), &status) == 0; ++i) {
        name = fmt::format("{}.{}", dated, i);
    }
    return name;
}

}  // namespace

std::optional<gid_t> group_of(uid_t user) {
    const auto found = slurm::find_user(user);
    return found ? std::optional(found->group) : std::nullopt;
}

FileRights rights_of(StateFile file, const Privacy& privacy) {
    const Row& row = row_of(file);
    const bool is_hidden = (row.holds != Holds::no_job && privacy.hides_jobs) ||
                           (row.holds == Holds::jobs_and_accounts && privacy.hides_accounts);
    return rights_for(is_hidden ? row.hidden : row.open, privacy);
}

Expected<void> apply_rights(const std::string& path, FileRights rights) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        return errno == ENOENT ? Expected<void>() : refusal("look at", path);
    }
    if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) {
        return {};
    }
    const AsGroup as_group(rights.group);
    if (rights.group && status.st_gid != *rights.group &&
        ::fchownat(AT_FDCWD, path.c_str(), static_cast<uid_t>(-1), *rights.group,
                   AT_SYMLINK_NOFOLLOW) != 0) {
        return refusal("change the group of", path);
    }
    // Never by a descriptor of its own: to close one drops the locks that SQLite has on the file.
    if ((status.st_mode & 07777U) != rights.mode &&
        ::fchmodat(AT_FDCWD, path.c_str(), rights.mode, AT_SYMLINK_NOFOLLOW) != 0) {
        return refusal("change the mode of", path);
    }
    return {};
}

std::string path_of(StateFile file, const std::string& folder) {
    return folder + "/" + row_of(file).name;
}

Expected<std::string> set_aside(const std::string& path) {
    const std::string name = free_name(path);
    if (const auto closed = apply_rights(path, {.mode = 0600}); !closed) {
        return unexpected(closed.error());
    }
    if (std::rename(path.c_str(), name.c_str()) != 0) {
        return refusal("set aside", path);
    }
    // Without it the database could not be repaired.
    std::rename((path + "-journal").c_str(), (name + "-journal").c_str());
    return name;
}

}  // namespace hora::scripts
