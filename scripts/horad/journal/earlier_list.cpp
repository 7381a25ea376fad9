// How does a list stand in a file of the daemon's own: {"version": 1, KEY: [...]}?
#include "scripts/horad/journal/state_list.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "libplanner/read/file.hpp"
#include "libplanner/read/quoted.hpp"
#include "scripts/hora/command/atomic_file.hpp"

namespace hora::horad {

using nlohmann::ordered_json;

Expected<void> write_state(const std::string& path, const StateWords& words,
                           const std::string& text) {
    return scripts::replace_file(path, text, scripts::rights_of(words.file, {}))
        .map_error([&](const Error& error) { return error.within(words.name); });
}

Expected<StateText> read_state(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return errno == ENOENT ? Expected<StateText>(StateText{})
                               : failure(fmt::format("cannot look at {}: {}", read::quoted(path),
                                                     std::strerror(errno)));
    }
    if (!S_ISREG(status.st_mode)) {
        return StateText{.text = {}, .damage = Error{"it is no regular file"}};
    }
    auto text = read::read_file(path, largest_state_file);
    if (!text && static_cast<std::size_t>(status.st_size) > largest_state_file) {
        return StateText{.text = {}, .damage = text.error()};
    }
    return text ? Expected<StateText>(StateText{.text = *std::move(text), .damage = {}})
                : unexpected(text.error());
}

Error begin_anew(const std::string& path, const StateWords& words, const Error& damage) {
    const auto aside = scripts::set_aside(path);
    return {fmt::format("{}: {} is damaged: {}; {}; {}", words.damage, read::quoted(path),
                        damage.message,
                        aside ? "it is set aside as " + read::quoted(*aside)
                              : aside.error().message + "; move it away",
                        words.advice)};
}

std::string state_text(const char* key, ordered_json list) {
    const ordered_json document{{"version", state_version}, {key, std::move(list)}};
    return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hora::horad
