// How far is it? One JSON line a report, for those that watch the training.
#include "contrib/trainer/progress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace hora::trainer {
namespace {

std::string to_line(const Report& report) {
    const std::string noise =
        report.noise_scale ? fmt::format(",\"noise_scale\":{:.6g}", *report.noise_scale) : "";
    return fmt::format("{{\"step\":{},\"epoch\":{},\"samples\":{},\"seconds\":{:.6f}{}}}\n",
                       report.step, report.epoch, report.samples, report.seconds, noise);
}

}  // namespace

Progress::Progress(const std::string& path) : path_(path) {}

Progress::~Progress() {
    if (file_ >= 0) {
        close(file_);
    }
}

// One write() a line, so that a reader or another writer never sees two mixed. Where only a part of
// it finds room, the next one says why.
bool Progress::write_line(std::string line) {
    if (file_ < 0) {
        file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    if (file_ < 0) {
        return false;
    }
    if (has_torn_line_) {
        line.insert(line.begin(), '\n');
    }
    std::string_view left = line;
    while (!left.empty()) {
        const ssize_t written = write(file_, left.data(), left.size());
        if (written <= 0) {
            return false;
        }
        left.remove_prefix(static_cast<std::size_t>(written));
        has_torn_line_ = !left.empty();
    }
    return true;
}

Expected<void> Progress::append(const Report& report) {
    if (path_.empty() || write_line(to_line(report))) {
        is_failing_ = false;
        return {};
    }
    if (std::exchange(is_failing_, true)) {
        return {};
    }
    return failure(fmt::format("cannot append to the progress file \"{}\": {}; training goes on",
                               path_, std::strerror(errno)));
}

}  // namespace hora::trainer
