// What did the daemon write last, for those who ask? Settings read: horad.state.
#pragma once

#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/status.hpp"
#include "libplanner/read/settings/settings.hpp"

namespace hora::scripts {

std::string status_path(const read::Settings& settings);

// Fails where it never wrote, with what to do about it, and where the file cannot be read.
Expected<domain::Status> read_daemon_status(const std::string& path);

}  // namespace hora::scripts
