// How is a file replaced so that a reader sees the old or the new one, and never half of it?
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::scripts {

struct FileRights {
    mode_t mode = 0644;
    std::optional<gid_t> group{};  // empty: the caller's, or the folder's where that hands it on
};

// What this thread makes belongs to that group meanwhile, where it has the right to name one
// (CAP_SETGID): giving away what is there takes a right that the daemon does without.
class AsGroup {
  public:
    explicit AsGroup(std::optional<gid_t> group);
    AsGroup(const AsGroup&) = delete;
    AsGroup& operator=(const AsGroup&) = delete;
    ~AsGroup();

  private:
    std::optional<gid_t> before_;
};

// Writes a temporary file beside it, synced to disk, and renames it. On failure the old file stays
// and nothing new is left behind. What is no regular file, and /dev/stdout, is written to.
Expected<void> replace_file(const std::string& path, std::string_view text, FileRights rights);
// The same of what a user has asked for: it keeps the mode that it had, less set-user-ID and the
// like; a new file has what the umask leaves of 0666.
Expected<void> replace_file(const std::string& path, std::string_view text);

// Removes what writers of the file left beside it that were killed more than `age` ago.
void remove_temporaries(const std::string& path, std::chrono::seconds age);

}  // namespace hora::scripts
