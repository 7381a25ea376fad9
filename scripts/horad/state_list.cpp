// How does a list stand in a file of the daemon's own: {"version": 1, KEY: [...]}?
#include "scripts/horad/state_list.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace hora::horad {

using nlohmann::ordered_json;

bool is_missing(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) != 0 && errno == ENOENT;
}

std::string state_text(const char* key, ordered_json list) {
    const ordered_json document{{"version", state_version}, {key, std::move(list)}};
    return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hora::horad
