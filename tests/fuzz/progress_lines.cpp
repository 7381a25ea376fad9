// Does any progress file break one of its readers, or do they not say the same of it?
//
// What stands before a line "--" is there when the readers start.
#include "libplanner/read/trace/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "plugins/mpi/record/progress_tail.hpp"
#include "scripts/watch-job/report/progress_tail.hpp"
#include "tests/fuzz/lines.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 53;

bool is_possible(const hora::domain::ProgressReport& report) {
    return report.step <= largest && report.epoch <= largest && report.samples <= largest &&
           std::isfinite(report.seconds.count()) && report.seconds >= hora::Seconds(0) &&
           report.noise_scale <= hora::domain::largest_noise_scale;
}

void check_whole(std::string_view text) {
    const auto progress = hora::read::read_progress(text);
    if (!progress) {
        return;
    }
    const std::size_t lines = hora::fuzz::lines_of(text).size();
    if (progress->reports.size() + progress->unreadable > lines ||
        !std::ranges::all_of(progress->reports, is_possible)) {
        std::abort();
    }
}

void check_tail(hora::watch::ProgressTail& tail, std::string_view added) {
    const bool has_report = tail.look();
    const auto& newest = tail.newest();
    const auto whole = hora::read::read_progress(added.substr(0, added.rfind('\n') + 1));
    const bool has_read = whole && !whole->reports.empty();
    if (has_report != has_read || has_report != newest.has_value() ||
        (newest && *newest != whole->reports.back()) || tail.look() ||
        !(tail.step_seconds() >= hora::Seconds(0)) ||
        tail.noise_scale() > hora::domain::largest_noise_scale) {
        std::abort();
    }
}

void check_steps(const std::vector<std::uint64_t>& steps, std::string_view added) {
    const auto is_step = [](std::uint64_t step) { return step <= largest; };
    if (static_cast<std::ptrdiff_t>(steps.size()) > std::ranges::count(added, '\n') ||
        !std::ranges::all_of(steps, is_step)) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::string_view between = "--\n";
    const std::string_view text = hora::fuzz::text_of(data, size);
    check_whole(text);
    const std::size_t end = text.find(between);
    const std::size_t begin = end == text.npos ? 0 : end + between.size();
    const std::string_view added = text.substr(begin);
    const hora::fuzz::MemoryFile file(text.substr(0, begin));
    hora::watch::ProgressTail tail(file.path());
    hora::mpi::ProgressTail steps;
    steps.start(file.path());
    file.append(added);
    check_tail(tail, added);
    check_steps(steps.take_steps(), added);
    return 0;
}
