// How long did a job not train: before its first step, and between two of its starts?
#include "scripts/horad/history/lost_time.hpp"

#include <algorithm>

namespace hora::horad {
namespace {

// Clocks and reports are this exact; what is further below 0 was not measured.
constexpr Seconds tolerance{2};

std::optional<Seconds> plausible(Seconds lost) {
    return lost < Seconds(0) - tolerance ? std::nullopt : std::optional(std::max(lost, Seconds(0)));
}

bool is_of_last_start(const JobReports& reports) {
    return reports.before && reports.before->restarts + 1 == reports.restarts;
}

// The step that this start began with.
std::optional<std::uint64_t> first_of_start(const JobReports& reports) {
    if (reports.restarts == 0) {
        return 0;
    }
    const auto checkpoint = is_of_last_start(reports) ? reports.before->checkpoint : std::nullopt;
    // It may have gone on from an older one.
    return checkpoint && *checkpoint <= reports.first_step ? checkpoint : std::nullopt;
}

Seconds time_of(std::uint64_t from, std::uint64_t to, Seconds step) {
    return step * static_cast<double>(to - std::min(from, to));
}

}  // namespace

std::uint64_t steps_of_start(const JobReports& reports) {
    if (!reports.progress) {
        return 0;
    }
    return reports.progress->step - first_of_start(reports).value_or(reports.first_step);
}

std::optional<Seconds> start_up_time(const JobReports& reports, double started) {
    const auto begin = first_of_start(reports);
    if (!begin || !reports.progress || !(reports.progress->step_seconds > Seconds(0)) ||
        started <= 0) {
        return std::nullopt;
    }
    return plausible(Seconds(reports.first_progress - started) -
                     time_of(*begin, reports.first_step, reports.progress->step_seconds));
}

std::optional<Seconds> time_lost_by_restart(const JobReports& reports) {
    if (!is_of_last_start(reports) || !reports.progress) {
        return std::nullopt;
    }
    const PastStart& before = *reports.before;
    const Seconds step_before = before.progress.step_seconds;
    const Seconds step_after = reports.progress->step_seconds;
    if (!(step_before > Seconds(0)) || !(step_after > Seconds(0))) {
        return std::nullopt;
    }
    const std::uint64_t kept = before.checkpoint.value_or(before.progress.step);
    return plausible(Seconds(reports.first_progress - before.last_progress) -
                     time_of(before.progress.step, kept, step_before) -
                     time_of(kept, reports.first_step, step_after));
}

}  // namespace hora::horad
