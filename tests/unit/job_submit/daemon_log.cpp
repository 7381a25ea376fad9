#include "tests/unit/job_submit/daemon_log.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <utility>

#include "plugins/job_submit/daemon.hpp"
#include "tests/unit/comes_true.hpp"

namespace {

// The site's thread logs too.
std::mutex mutex;
std::vector<std::string> lines;

void keep(const char* format, va_list values) {
    va_list again;
    va_copy(again, values);
    std::string line(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, again)), '\0');
    va_end(again);
    std::vsnprintf(line.data(), line.size() + 1, format, values);
    const std::lock_guard lock(mutex);
    lines.push_back(std::move(line));
}

}  // namespace

extern "C" {

void slurm_info(const char* format, ...) {
    va_list values;
    va_start(values, format);
    keep(format, values);
    va_end(values);
}

int slurm_error(const char* format, ...) {
    va_list values;
    va_start(values, format);
    keep(format, values);
    va_end(values);
    return -1;
}

}  // extern "C"

namespace hora::submit {

std::vector<std::string> take_log() {
    const std::lock_guard lock(mutex);
    return std::exchange(lines, {});
}

bool comes_in_log(const std::string& words) {
    return tests::comes_true([&] {
        const auto log = take_log();
        return std::any_of(log.begin(), log.end(), [&](const std::string& line) {
            return line.find(words) != std::string::npos;
        });
    });
}

}  // namespace hora::submit
