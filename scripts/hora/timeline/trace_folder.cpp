// Which records of processes (hora-trace(5)) lie in a folder?
#include "scripts/hora/timeline/trace_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <strings.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "libplanner/read/file.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/trace/rank_record.hpp"

namespace hora::scripts {
namespace {

constexpr std::string_view ending = ".jsonl";
constexpr std::size_t most_files = 65536;
// What a machine holds in memory, several times as much as the text.
constexpr std::size_t most_bytes = std::size_t{4} << 30;

struct Names {
    std::vector<std::string> files;  // that end as records do
    std::vector<std::string> folders;
    std::pair<dev_t, ino_t> identity;  // of the folder, which may have several paths
};

Expected<Names> list(const std::string& path) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), &closedir);
    struct stat found {};
    if (!folder || fstat(dirfd(folder.get()), &found) != 0) {
        return failure(fmt::format("cannot open the folder {}: {}", read::quoted_path(path),
                                   std::strerror(errno)));
    }
    Names names{.files = {}, .folders = {}, .identity = {found.st_dev, found.st_ino}};
    while (const dirent* const entry = readdir(folder.get())) {
        const std::string name = entry->d_name;
        if (name.starts_with('.')) {
            continue;
        }
        if (fstatat(dirfd(folder.get()), name.c_str(), &found, 0) != 0) {
            // A link may lead nowhere, or where this user may not look; a name is there for all who
            // may search the folder.
            if (fstatat(dirfd(folder.get()), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0 &&
                errno == EACCES) {
                return failure(fmt::format("cannot look at the files in the folder {}: {}",
                                           read::quoted_path(path), std::strerror(EACCES)));
            }
            continue;
        }
        if (S_ISDIR(found.st_mode)) {
            names.folders.push_back(name);
        } else if (S_ISREG(found.st_mode) && name.ends_with(ending)) {
            names.files.push_back(name);
        }
        if (names.files.size() + names.folders.size() > most_files) {
            return failure(
                fmt::format("the folder {} has more than {} files, the most that are read",
                            read::quoted_path(path), most_files));
        }
    }
    const auto before = [](const std::string& one, const std::string& other) {
        return strverscmp(one.c_str(), other.c_str()) < 0;
    };
    std::ranges::sort(names.files, before);
    std::ranges::sort(names.folders, before);
    return names;
}

Expected<void> read_files(const std::vector<std::string>& files, TraceFolder& into) {
    std::map<std::uint32_t, std::string> file_of;  // by rank
    std::size_t bytes = 0;
    for (const std::string& file : files) {
        const auto text = read::read_regular_file(into.path + "/" + file, read::Links::follow,
                                                  read::largest_rank_record);
        if (!text) {
            return unexpected(text.error());
        }
        if (text->find_first_not_of('\0') == std::string::npos) {
            into.empty_files.push_back(file);
            continue;
        }
        bytes += text->size();
        if (bytes > most_bytes) {
            return failure(
                fmt::format("the records in {} are larger than {} bytes, the most that "
                            "are read; copy those of some ranks to a folder",
                            read::quoted_path(into.path), most_bytes));
        }
        auto record = read::read_rank_record(*text);
        if (!record) {
            const std::string place = into.path + "/" + file;
            return unexpected(record.error().within(read::printable(place, place.size())));
        }
        if (const auto [known, is_new] = file_of.emplace(record->rank, file); !is_new) {
            return failure(
                fmt::format("{}: both {} and {} are of rank {}; a folder holds the "
                            "records of one run",
                            read::quoted_path(into.path), read::quoted(known->second),
                            read::quoted(file), record->rank));
        }
        into.records.push_back(*std::move(record));
    }
    return {};
}

}  // namespace

Expected<TraceFolder> read_trace_folder(const std::string& path) {
    TraceFolder folder{.path = path, .others = {}, .empty_files = {}, .records = {}};
    auto names = list(path);
    if (!names) {
        return unexpected(names.error());
    }
    std::vector<std::string> files = std::move(names->files);
    std::set known{names->identity};
    while (!names->folders.empty()) {
        const std::string below = path + "/" + names->folders.back();
        names->folders.pop_back();
        auto inside = list(below);
        if (!inside && files.empty()) {
            return unexpected(inside.error());  // it may be the newest one that has some
        }
        if (!inside || inside->files.empty() || !known.insert(inside->identity).second) {
            continue;
        }
        if (files.empty()) {
            files = std::move(inside->files);
            folder.path = below;
        } else {
            folder.others.push_back(below);
        }
    }
    if (auto done = read_files(files, folder); !done) {
        return unexpected(done.error());
    }
    if (folder.records.empty() && !folder.empty_files.empty()) {
        const std::size_t count = folder.empty_files.size();
        return failure(
            count == 1
                ? fmt::format("the record in the folder {} is empty: its process ended before it "
                              "wrote; see the job's output for why",
                              read::quoted_path(folder.path))
                : fmt::format("the {} records in the folder {} are empty: their processes ended "
                              "before they wrote; see the job's output for why",
                              count, read::quoted_path(folder.path)));
    }
    if (folder.records.empty()) {
        return failure(fmt::format(
            "there is no record in the folder {}: jobs with --hora-timeline write one for each "
            "process, see hora-trace(5)",
            read::quoted_path(path)));
    }
    return folder;
}

}  // namespace hora::scripts
