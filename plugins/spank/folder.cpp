// Is the checkpoint folder there, and the user's alone?
#include "plugins/spank/folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "libplanner/read/quoted.hpp"
#include "libplanner/read/settings/checkpoint_path.hpp"

namespace hora::spank {

namespace {

// An errno, with the part of the path that cannot be made.
std::pair<int, std::string> make_parts(const std::string& path) {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        const std::string part = path.substr(0, end);
        if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
            const int reason = errno;
            struct stat found {};
            // A read-only parent that is there is no obstacle.
            if (stat(part.c_str(), &found) != 0) {
                return {reason, part};
            }
        }
        if (end == std::string::npos) {
            return {};
        }
    }
}

// Not by a link in its place.
bool is_own(const std::string& folder, uid_t owner) {
    struct stat found {};
    return lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == owner &&
           (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

Expected<void> make_folder(const std::string& path, uid_t owner) {
    // The end of another job may just have removed the empty folder above.
    constexpr int tries = 5;
    std::pair<int, std::string> failed;
    for (int i = 0; i < tries && (i == 0 || failed.first == ENOENT); ++i) {
        failed = make_parts(path);
    }
    if (failed.first != 0) {
        return failure(fmt::format("cannot make the folder {}: {}", read::quoted(failed.second),
                                   std::strerror(failed.first)));
    }
    // The owner of the folder above could put another one in its place; where the site has named
    // that, it is the site's to judge.
    const std::string above = path.substr(0, path.rfind('/'));
    for (const std::string& folder : {above, path}) {
        const bool is_asked = folder == path || read::is_default_place(folder, owner);
        if (is_asked && !is_own(folder, owner)) {
            return failure(
                fmt::format("{} is no folder that only you may write to", read::quoted(folder)));
        }
    }
    return {};
}

}  // namespace hora::spank
