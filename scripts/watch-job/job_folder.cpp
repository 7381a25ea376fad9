// What becomes of the folder that Hora has named for a job, once the job is over?
#include "scripts/watch-job/job_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "libplanner/read/leading_number.hpp"
#include "libplanner/read/settings/checkpoint_path.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::watch {
namespace {

constexpr int deepest = 64;
constexpr std::string_view list_of_starts = "restarts";

struct Close {
    void operator()(DIR* folder) const { closedir(folder); }
};

enum class Writers { only_owner, any };

// A folder of the caller's that only it may write to, or any; never by a link in its place.
class OwnFolder {
  public:
    OwnFolder(int place, const char* name, Writers allowed = Writers::only_owner)
        : opened_(openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
        const bool is_own = fstat(number(), &status_) == 0 && status_.st_uid == geteuid();
        const bool has_others = (status_.st_mode & (S_IWGRP | S_IWOTH)) != 0;
        if (!is_own || (has_others && allowed == Writers::only_owner)) {
            opened_.close();
        }
    }

    bool is_open() const { return opened_.is_open(); }
    int number() const { return opened_.number(); }
    const struct stat& status() const { return status_; }
    // Do permissions below it mean anything to others?
    bool lets_others_in() const { return (status_.st_mode & (S_IXGRP | S_IXOTH)) != 0; }

    std::vector<std::string> names() const {
        std::vector<std::string> found;
        const int copy = is_open() ? openat(number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
        const std::unique_ptr<DIR, Close> folder(copy < 0 ? nullptr : fdopendir(copy));
        while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
            const std::string_view name = entry->d_name;
            if (name != "." && name != "..") {
                found.emplace_back(name);
            }
        }
        return found;
    }

  private:
    slurm::Descriptor opened_;
    struct stat status_ {};
};

// Another file system that is mounted below stays.
void clear(const OwnFolder& folder, int depth, Writers allowed, std::string_view kept = {}) {
    for (const std::string& name : folder.names()) {
        if (name == kept) {
            continue;
        }
        if (unlinkat(folder.number(), name.c_str(), 0) == 0 || depth >= deepest) {
            continue;
        }
        const OwnFolder below(folder.number(), name.c_str(), allowed);
        if (below.is_open() && below.status().st_dev == folder.status().st_dev) {
            clear(below, depth + 1, allowed);
            unlinkat(folder.number(), name.c_str(), AT_REMOVEDIR);
        }
    }
}

void remove_in(int place, const std::string& name, std::string_view kept = {}) {
    const OwnFolder folder(place, name.c_str());
    if (folder.is_open()) {
        clear(folder, 0, folder.lets_others_in() ? Writers::only_owner : Writers::any, kept);
        unlinkat(place, name.c_str(), AT_REMOVEDIR);
    }
}

struct Place {
    std::string above;
    std::string name;
};

Place place_of(const std::string& folder) {
    const std::size_t slash = folder.rfind('/');
    return slash == std::string::npos || slash == 0
               ? Place{}
               : Place{folder.substr(0, slash), folder.substr(slash + 1)};
}

bool is_default(const std::string& folder) {
    return read::is_default_place(folder, geteuid());
}

// Where checkpoint.path names another folder above, that is the site's to judge.
slurm::Descriptor open_above(const std::string& above) {
    const int no_link = is_default(above) ? O_NOFOLLOW : 0;
    return slurm::Descriptor(
        above.empty() ? -1 : open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | no_link));
}

std::int64_t last_written(const OwnFolder& folder) {
    std::int64_t newest = folder.status().st_mtime;
    for (const std::string& name : folder.names()) {
        struct stat found {};
        if (fstatat(folder.number(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) {
            newest = std::max<std::int64_t>(newest, found.st_mtime);
        }
    }
    return newest;
}

}  // namespace

bool is_unused(const std::string& folder) {
    const OwnFolder found(AT_FDCWD, folder.c_str());
    const std::vector<std::string> names = found.names();
    return found.is_open() && std::all_of(names.begin(), names.end(), [](const std::string& name) {
               return name == list_of_starts;
           });
}

void remove_folder(const std::string& folder) {
    const Place place = place_of(folder);
    const slurm::Descriptor above = open_above(place.above);
    if (!above.is_open()) {
        return;
    }
    remove_in(above.number(), place.name, read::trace_folder);
    if (is_default(place.above)) {
        rmdir(place.above.c_str());  // fails where other jobs have folders
    }
}

std::uint32_t job_of_folder(std::string_view name, std::string_view cluster) {
    std::uint32_t job = 0;
    std::uint64_t submit = 0;
    if (cluster.empty() || !name.starts_with(cluster) ||
        !name.substr(cluster.size()).starts_with('-')) {
        return 0;
    }
    name.remove_prefix(cluster.size() + 1);
    if (!read::take_number(name, job) || !name.starts_with('-')) {
        return 0;
    }
    name.remove_prefix(1);
    return read::take_number(name, submit) && name.empty() ? job : 0;
}

void remove_expired(const std::string& folder, const std::string& cluster,
                    std::chrono::seconds keep, std::chrono::system_clock::time_point now,
                    const std::function<bool(std::uint32_t)>& is_over) {
    const Place place = place_of(folder);
    if (place.above.empty()) {
        return;
    }
    const OwnFolder above(AT_FDCWD, place.above.c_str());
    const std::int64_t oldest = std::chrono::system_clock::to_time_t(now - keep);
    for (const std::string& name : above.names()) {
        const std::uint32_t job = job_of_folder(name, cluster);
        if (job == 0 || name == place.name) {
            continue;
        }
        const OwnFolder one(above.number(), name.c_str());
        if (one.is_open() && last_written(one) < oldest && is_over(job)) {
            remove_in(above.number(), name);
        }
    }
}

}  // namespace hora::watch
