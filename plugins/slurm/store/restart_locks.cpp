// Which jobs does horad restart just now, so that their owners can change little of them?
#include "plugins/slurm/store/restart_locks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "libplanner/read/leading_number.hpp"
#include "plugins/slurm/store/put_file.hpp"
#include "plugins/slurm/store/snapshot_file.hpp"

namespace hora::slurm {
namespace {

constexpr std::string_view kept_end = " kept\n";
constexpr std::string_view free_end = " free\n";

// "UID NUMBER KEY kept\n", or "… free\n"
std::optional<RestartLock> parse(std::string_view text) {
    RestartLock lock;
    if (!read::take_number(text, lock.uid) || !text.starts_with(' ')) {
        return std::nullopt;
    }
    text.remove_prefix(1);
    if (!read::take_number(text, lock.number) || !text.starts_with(' ')) {
        return std::nullopt;
    }
    text.remove_prefix(1);
    lock.is_kept = text.ends_with(kept_end);
    if (!lock.is_kept && !text.ends_with(free_end)) {
        return std::nullopt;
    }
    lock.key = text.substr(0, text.size() - kept_end.size());
    return lock.key.empty() ? std::nullopt : std::optional(lock);
}

std::string text_of(const RestartLock& lock) {
    return fmt::format("{} {} {}{}", lock.uid, lock.number, lock.key,
                       lock.is_kept ? kept_end : free_end);
}

}  // namespace

std::string restart_locks_folder(const std::string& state) {
    return state + "/locks";
}

std::string RestartLocks::path_of(std::uint32_t job) const {
    return folder_ + "/" + std::to_string(job);
}

Expected<void> RestartLocks::take(std::uint32_t job, const RestartLock& lock) const {
    const auto put = put_file(path_of(job), text_of(lock));
    return put ? put
               : unexpected(put.error().within(
                     fmt::format("cannot keep job {} from being changed in \"{}\"", job, folder_)));
}

void RestartLocks::let_go(std::uint32_t job) const {
    ::unlink(path_of(job).c_str());
}

std::vector<std::uint32_t> RestartLocks::jobs() const {
    std::vector<std::uint32_t> jobs;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(folder_, error)) {
        const std::string name = file.path().filename().string();
        std::string_view rest = name;
        std::uint32_t job = 0;
        if (read::take_number(rest, job) && rest.empty()) {
            jobs.push_back(job);
        }
    }
    return jobs;
}

std::optional<RestartLock> RestartLocks::of(std::uint32_t job, uid_t trusted_user,
                                            std::int64_t now) const {
    const std::string path = path_of(job);
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || std::abs(now - status.st_mtime) > longest_lock ||
        status.st_size > 100) {
        return std::nullopt;
    }
    const auto text = read_trusted_file(path, trusted_user);
    return text ? parse(*text) : std::nullopt;
}

}  // namespace hora::slurm
