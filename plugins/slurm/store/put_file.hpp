// How does a small file appear whole, or not at all, to a reader in another process?
#pragma once

#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"

namespace hora::slurm {

// Such names are of files that are being written; what a killed writer leaves stays under it.
constexpr std::string_view unfinished_end = ".new";

// Writes a file with mode 0644 beside the path and renames it; in a folder where only the daemon
// and slurmctld write. Not synced to disk: this runs while slurmctld answers a submission. On
// failure an old file stays, and the error is the system's, without the path.
Expected<void> put_file(const std::string& path, std::string_view text);

}  // namespace hora::slurm
