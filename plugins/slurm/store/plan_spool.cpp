// Where do records of plans lie between the plugin that makes them and the daemon that keeps them?
#include "plugins/slurm/store/plan_spool.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <functional>
#include <memory>

#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/slurm/store/error_text.hpp"
#include "plugins/slurm/store/put_file.hpp"
#include "plugins/slurm/store/random_key.hpp"
#include "plugins/slurm/store/snapshot_file.hpp"

namespace hora::slurm {
namespace {

struct FolderCloser {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

// The second keeps keys of different weeks apart, the 40 random bits those of one second, also of
// two controllers.
Expected<std::string> new_key(std::int64_t now) {
    return random_key(10).map([&](const std::string& random) {
        return fmt::format("{:x}-{}", static_cast<std::uint64_t>(now), random);
    });
}

// Until `take` has had enough.
void each_file(const std::string& folder, const std::function<bool(std::string_view name)>& take) {
    const std::unique_ptr<DIR, FolderCloser> opened(::opendir(folder.c_str()));
    bool goes_on = opened != nullptr;
    while (goes_on) {
        const dirent* const entry = ::readdir(opened.get());
        goes_on = entry != nullptr && take(entry->d_name);
    }
}

}  // namespace

std::string plan_folder(const std::string& state) {
    return state + "/plans";
}

std::string PlanSpool::path_of(std::string_view key) const {
    return folder_ + "/" + std::string(key);
}

Expected<std::string> PlanSpool::keep(const domain::Decision& decision, std::int64_t now) const {
    // Without the key: each such failure reads the same, and is logged once.
    const auto in_folder = [this](const Error& error) {
        return unexpected(error.within(fmt::format("cannot leave a plan in \"{}\"", folder_)));
    };
    // Where there is no horad, no submission waits for a record that nobody takes.
    if (::access(folder_.c_str(), W_OK | X_OK) != 0) {
        return in_folder({error_text(errno)});
    }
    const auto key = new_key(now);
    if (!key) {
        return key;
    }
    const auto written = put_file(path_of(*key), report::to_record(decision));
    return written ? Expected<std::string>(report::to_word(*key, decision))
                   : in_folder(written.error());
}

Expected<std::optional<std::string>> PlanSpool::read(std::string_view key,
                                                     uid_t trusted_user) const {
    const std::string path = path_of(key);
    const auto is_missing = [&] {
        return ::access(path.c_str(), F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
    };
    if (!read::is_plan_key(key) || is_missing()) {
        return std::nullopt;
    }
    auto text = read_trusted_file(path, trusted_user);
    if (!text && is_missing()) {
        return std::nullopt;  // it was taken meanwhile
    }
    return text ? Expected<std::optional<std::string>>(*std::move(text))
                : unexpected(text.error().within(fmt::format("plan \"{}\"", path)));
}

std::vector<std::string> PlanSpool::keys(std::size_t most) const {
    std::vector<std::string> keys;
    each_file(folder_, [&](std::string_view name) {
        if (read::is_plan_key(name)) {
            keys.emplace_back(name);
        }
        return keys.size() < most;
    });
    return keys;
}

void PlanSpool::remove(std::string_view key) const {
    ::unlink(path_of(key).c_str());
}

void PlanSpool::remove_torn() const {
    constexpr std::time_t old = 60;
    each_file(folder_, [&](std::string_view name) {
        struct stat status {};
        const std::string path = path_of(name);
        if (name.ends_with(unfinished_end) && ::lstat(path.c_str(), &status) == 0 &&
            status.st_mtime < std::time(nullptr) - old) {
            ::unlink(path.c_str());
        }
        return true;
    });
}

std::string keep_or_embed(const PlanSpool& spool, const domain::Decision& decision,
                          std::int64_t now) {
    const auto word = spool.keep(decision, now);
    return word ? *word : report::to_token(decision);
}

}  // namespace hora::slurm
