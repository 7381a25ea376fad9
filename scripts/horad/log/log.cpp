// What does the daemon say to the administrator, and how is each thing said once?
#include "scripts/horad/log/log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "libplanner/read/quoted.hpp"

namespace hora::horad {
namespace {

constexpr std::size_t longest_line = 4096;

}  // namespace

// systemd names the stream that it reads; a terminal shows no "<4>".
Log::Log() : has_journal_(std::getenv("JOURNAL_STREAM") != nullptr) {}

void Log::print(char priority, std::string_view message) const {
    std::string line = has_journal_ ? fmt::format("<{}>horad: ", priority) : "horad: ";
    // A name of a user's may hold anything; one message stays one line.
    line += read::printable(message, longest_line);
    line += '\n';
    static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
}

void Log::note(std::string_view message) const {
    print('6', message);
}

void Log::warning(std::string_view message) const {
    print('4', message);
}

void Log::trouble(const std::string& topic, const std::string& message) {
    std::string& known = troubles_[topic];
    if (known != message) {
        known = message;
        warning(message);
    }
}

void Log::fine(const std::string& topic, std::string_view end) {
    if (troubles_.erase(topic) > 0 && !end.empty()) {
        note(end);
    }
}

void Log::amend(const std::string& topic, const std::string& message) {
    if (const auto found = troubles_.find(topic); found != troubles_.end()) {
        found->second = message;
    }
}

}  // namespace hora::horad
