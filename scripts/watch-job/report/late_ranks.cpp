// How long do the steps of this start wait for late ranks, by what its ranks record
// (hora-trace(5))?
#include "scripts/watch-job/report/late_ranks.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/read/settings/checkpoint_path.hpp"
#include "libplanner/read/trace/rank_record.hpp"
#include "libplanner/trace/waiting.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::watch {
namespace {

constexpr std::string_view ending = ".jsonl";
constexpr std::size_t most_names = 65536;
constexpr std::size_t piece_size = 65536;

using Meant = std::function<bool(std::string_view name)>;

// Empty where there are too many.
std::vector<std::string> names_in(const std::string& path, const Meant& is_meant) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), &closedir);
    std::size_t looked = 0;
    while (const dirent* const entry = folder ? readdir(folder.get()) : nullptr) {
        if (++looked > most_names) {
            return {};
        }
        if (is_meant(entry->d_name)) {
            names.emplace_back(entry->d_name);
        }
    }
    return names;
}

// As far as the process has written: behind that its file has zeros. More than `most` bytes where
// there are more; nothing where it is no file of this user's.
std::optional<std::string> text_of(const std::string& path, std::size_t most) {
    const slurm::Descriptor file(
        open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
    struct stat found {};
    if (fstat(file.number(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != geteuid()) {
        return std::nullopt;
    }
    std::string text;
    while (text.size() <= most) {
        const std::size_t before = text.size();
        text.resize(before + piece_size);
        const ssize_t got = ::read(file.number(), text.data() + before, piece_size);
        text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        text.resize(std::min(text.size(), text.find('\0', before)));
        if (text.size() < before + piece_size) {
            break;
        }
    }
    return text;
}

bool is_earlier_run(const std::string& one, const std::string& other) {
    return strverscmp(one.c_str(), other.c_str()) < 0;
}

}  // namespace

LateRanks::LateRanks(const std::string& folder, std::uint32_t restarts)
    : folder_(folder.empty() ? folder : fmt::format("{}/{}", folder, read::trace_folder)),
      start_(fmt::format("{}.", restarts)) {}

void LateRanks::look(std::uint64_t steps) {
    constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    if (folder_.empty() || steps < next_) {
        return;
    }
    next_ = steps <= never / 4 ? 4 * steps : never;
    try {
        read_newest();
    } catch (const std::bad_alloc&) {
        next_ = never;  // what else stands beside the job needs less
    }
}

void LateRanks::read_newest() {
    const auto runs =
        names_in(folder_, [&](std::string_view name) { return name.starts_with(start_); });
    if (runs.empty()) {
        return;
    }
    const std::string place = folder_ + "/" + *std::ranges::max_element(runs, is_earlier_run);
    const auto files =
        names_in(place, [](std::string_view name) { return name.ends_with(ending); });
    std::vector<domain::RankRecord> records;
    std::size_t left = files.size() <= most_ranks ? most_bytes : 0;
    for (const std::string& file : files) {
        const auto text = text_of(place + "/" + file, left);
        if (!text) {
            return;
        }
        if (text->size() > left) {
            folder_.clear();
            return;
        }
        left -= text->size();
        auto record = read::read_rank_record(*text);
        if (!record) {
            return;
        }
        records.push_back(*std::move(record));
    }
    const auto waiting = trace::waiting_of_step(trace::make_timeline(std::move(records)));
    of_step_ = waiting ? waiting : of_step_;
}

}  // namespace hora::watch
