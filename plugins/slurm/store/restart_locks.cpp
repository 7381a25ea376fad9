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
std::optional<Hand> parse(std::string_view text) {
    Hand hand;
    if (!read::take_number(text, hand.uid) || !text.starts_with(' ')) {
        return std::nullopt;
    }
    text.remove_prefix(1);
    if (!read::take_number(text, hand.number) || !text.starts_with(' ')) {
        return std::nullopt;
    }
    text.remove_prefix(1);
    hand.is_kept = text.ends_with(kept_end);
    if (!hand.is_kept && !text.ends_with(free_end)) {
        return std::nullopt;
    }
    hand.key = text.substr(0, text.size() - kept_end.size());
    return hand.key.empty() ? std::nullopt : std::optional(hand);
}

std::string text_of(const Hand& hand) {
    return fmt::format("{} {} {}{}", hand.uid, hand.number, hand.key,
                       hand.is_kept ? kept_end : free_end);
}

}  // namespace

std::string hands_folder(const std::string& state) {
    return state + "/hands";
}

std::string Hands::path_of(std::uint32_t job) const {
    return folder_ + "/" + std::to_string(job);
}

Expected<void> Hands::take(std::uint32_t job, const Hand& hand) const {
    const auto put = put_file(path_of(job), text_of(hand));
    return put ? put
               : unexpected(put.error().within(
                     fmt::format("cannot keep job {} from being changed in \"{}\"", job, folder_)));
}

void Hands::let_go(std::uint32_t job) const {
    ::unlink(path_of(job).c_str());
}

std::vector<std::uint32_t> Hands::jobs() const {
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

std::optional<Hand> Hands::of(std::uint32_t job, uid_t trusted_user, std::int64_t now) const {
    const std::string path = path_of(job);
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || std::abs(now - status.st_mtime) > longest_hand ||
        status.st_size > 100) {
        return std::nullopt;
    }
    const auto text = read_trusted_file(path, trusted_user);
    return text ? parse(*text) : std::nullopt;
}

}  // namespace hora::slurm
