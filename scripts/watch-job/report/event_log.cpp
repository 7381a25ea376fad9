// Where does the owner read what was done with the job? In a file beside its checkpoints.
#include "scripts/watch-job/report/event_log.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

#include "plugins/slurm/store/descriptor.hpp"

namespace hora::watch {

// A job that goes round for months still leaves a file that can be read.
constexpr off_t longest_log = 1 << 20;

EventLog::EventLog(std::string folder, std::uint32_t restarts)
    : path_(folder.empty() ? std::string() : folder + "/hora.log"), restarts_(restarts) {}

void EventLog::write(std::string_view event) const {
    if (path_.empty()) {
        return;
    }
    const slurm::Descriptor file(open(
        path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    struct stat found {};
    if (file.is_open() && fstat(file.number(), &found) == 0 && S_ISREG(found.st_mode) &&
        found.st_size < longest_log) {
        const std::string line = fmt::format("{:%Y-%m-%dT%H:%M:%S} start {}: {}\n",
                                             fmt::localtime(std::time(nullptr)), restarts_, event);
        static_cast<void>(!::write(file.number(), line.data(), line.size()));
    }
}

}  // namespace hora::watch
