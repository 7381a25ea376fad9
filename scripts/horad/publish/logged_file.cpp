// How is a file written that others read, and what does the log say of it?
#include "scripts/horad/publish/logged_file.hpp"

namespace hora::horad {

void write_logged(Log& log, const std::string& topic, const std::string& path,
                  const std::string& text, scripts::FileRights rights) {
    if (const auto done = scripts::replace_file(path, text, rights); !done) {
        log.trouble(topic, done.error().message);
    } else {
        log.fine(topic);
    }
}

}  // namespace hora::horad
