// How far is the program, and how fast, by what it has appended to its progress file since this
// start?
#include "scripts/watch-job/report/progress_tail.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "libplanner/base/median.hpp"
#include "libplanner/read/trace/progress.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::watch {
namespace {

constexpr std::size_t most_step_times = 31;
// Of one look: whoever writes more than this in a second is heard in part.
constexpr std::size_t most_bytes = 256 * 1024;

slurm::Descriptor open_file(const std::string& path, struct stat& found) {
    slurm::Descriptor file(
        path.empty() ? -1 : open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    const bool is_file = fstat(file.number(), &found) == 0 && S_ISREG(found.st_mode);
    return is_file ? std::move(file) : slurm::Descriptor();
}

std::string read_from(const slurm::Descriptor& file, off_t place) {
    std::string text(most_bytes, '\0');
    const ssize_t length = pread(file.number(), text.data(), text.size(), place);
    text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return text;
}

}  // namespace

ProgressTail::ProgressTail(std::string path) : path_(std::move(path)) {
    struct stat found {};
    if (open_file(path_, found).is_open()) {
        place_ = found.st_size;
    }
}

bool ProgressTail::look() {
    struct stat found {};
    const slurm::Descriptor file = open_file(path_, found);
    if (!file.is_open()) {
        return false;
    }
    if (found.st_size < place_) {  // begun anew
        place_ = 0;
        torn_.clear();
    }
    if (found.st_size - place_ > static_cast<off_t>(most_bytes)) {
        place_ = found.st_size - static_cast<off_t>(most_bytes);
        torn_.assign(1, '?');  // spoils the rest of the line that is begun in the middle
    }
    std::string text = read_from(file, place_);
    place_ += static_cast<off_t>(text.size());
    text.insert(0, std::exchange(torn_, {}));
    const std::size_t end = text.rfind('\n');
    const std::size_t whole = end == std::string::npos ? 0 : end + 1;
    torn_ = text.substr(whole).substr(0, read::longest_progress_line + 1);
    const auto before = newest_;
    take(std::string_view(text).substr(0, whole));
    return newest_ != before;
}

void ProgressTail::take(std::string_view lines) {
    const auto progress = read::read_progress(lines);
    if (!progress) {
        return;  // none of them readable
    }
    for (const domain::ProgressReport& report : progress->reports) {
        // Only the previous report tells how many steps the seconds are of.
        if (newest_ && report.step > newest_->step) {
            step_times_.push_back(report.seconds /
                                  static_cast<double>(report.step - newest_->step));
        }
        newest_ = report;
        noise_scale_ = report.noise_scale != 0 ? report.noise_scale : noise_scale_;
    }
    while (step_times_.size() > most_step_times) {
        step_times_.pop_front();
    }
}

Seconds ProgressTail::step_seconds() const {
    if (step_times_.empty()) {
        return {};
    }
    return median(std::vector<Seconds>(step_times_.begin(), step_times_.end()));
}

}  // namespace hora::watch
