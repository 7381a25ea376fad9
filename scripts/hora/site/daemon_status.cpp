// What did the daemon write last, for those who ask? Settings read: horad.state.
#include "scripts/hora/site/daemon_status.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "libplanner/read/file.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/state/status.hpp"
#include "scripts/hora/site/state_files.hpp"

namespace hora::scripts {

std::string status_path(const read::Settings& settings) {
    return path_of(StateFile::status, settings.get<std::string>("horad.state"));
}

Expected<domain::Status> read_daemon_status(const std::string& path) {
    if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) {
        return failure(fmt::format(
            "there is no {}, which horad writes; start it on the controller's host with "
            "'systemctl enable --now horad', or see horad(8)",
            read::quoted(path)));
    }
    return read::read_file(path, read::max_status_size).and_then([&](const auto& text) {
        return read::read_status(text).map_error(
            [&](const Error& error) { return error.within(path); });
    });
}

}  // namespace hora::scripts
