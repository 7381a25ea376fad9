// What has each job last reported of itself?
#include "scripts/horad/progress/reports.hpp"

#include <algorithm>
#include <utility>

namespace hora::horad {
namespace {

// A job that runs for weeks may have been of many sizes, but not of more than these.
constexpr std::size_t most_sizes = 64;

bool is_alike(const TimedSteps& a, const TimedSteps& b) {
    return a.gpus == b.gpus && a.nodes == b.nodes && a.batch == b.batch;
}

void time_steps(JobReports& known, const slurm::Report& report, std::uint64_t batch) {
    if (!(report.step_seconds > Seconds(0)) || report.gpus == 0) {
        return;
    }
    TimedSteps timed{report.gpus, report.nodes, report.step_seconds, 0, batch};
    const auto place = std::find_if(known.timed.begin(), known.timed.end(),
                                    [&](const TimedSteps& one) { return is_alike(one, timed); });
    const std::uint64_t before = known.progress ? known.progress->step : report.step;
    const auto steps = static_cast<double>(report.step - std::min(report.step, before));
    if (place != known.timed.end()) {
        place->step = report.step_seconds;
        place->steps += steps;
    } else if (known.timed.size() < most_sizes) {
        timed.steps = std::max(steps, 1.0);
        known.timed.push_back(timed);
    }
}

void take_progress(JobReports& known, const slurm::Report& report, double now,
                   std::uint64_t batch) {
    if (known.progress &&
        (report.step < known.progress->step || report.samples < known.progress->samples)) {
        return;
    }
    time_steps(known, report, batch);
    known.noise_scale = report.noise_scale != 0 ? report.noise_scale : known.noise_scale;
    const std::optional<Seconds> late = known.progress ? known.progress->late : std::nullopt;
    known.progress = report;
    known.progress->late = report.late ? report.late : late;
    known.last_progress = now;
    if (known.first_progress == 0) {
        known.first_progress = now;
        known.first_step = report.step;
    }
}

JobReports next_start(JobReports known, std::uint32_t restarts) {
    std::optional<PastStart> before;
    if (known.progress) {
        before = PastStart{
            .restarts = known.restarts,
            .progress = *known.progress,
            .last_progress = known.last_progress,
            .checkpoint = known.checkpoint ? std::optional(known.checkpoint->step) : std::nullopt};
    }
    JobReports next;
    next.restarts = restarts;
    next.before = before;
    next.timed = std::move(known.timed);
    next.noise_scale = known.noise_scale;
    return next;
}

}  // namespace

void Reports::put(const slurm::Report& report, double now, std::uint64_t batch) {
    const std::lock_guard lock(mutex_);
    JobReports& known = jobs_[report.job];
    if (report.restarts < known.restarts) {
        return;
    }
    if (report.restarts > known.restarts) {
        known = next_start(std::move(known), report.restarts);
    }
    ++count_;
    known.is_heard = true;
    switch (report.kind) {
        case slurm::ReportKind::progress:
            take_progress(known, report, now, batch);
            break;
        case slurm::ReportKind::checkpoint:
            known.checkpoint = report;
            break;
        case slurm::ReportKind::ended:
            known.has_ended = true;
            break;
        case slurm::ReportKind::resize:
        case slurm::ReportKind::force:
            break;  // none of the job's
    }
}

void Reports::note_later(const slurm::Report& report, double now) {
    const std::lock_guard lock(mutex_);
    jobs_[report.job].later = LaterStart{.restarts = report.restarts, .heard = now};
}

void Reports::remember(std::uint32_t job, const std::vector<TimedSteps>& timed) {
    const std::lock_guard lock(mutex_);
    JobReports& known = jobs_[job];
    for (const TimedSteps& past : timed) {
        const bool is_known =
            std::any_of(known.timed.begin(), known.timed.end(),
                        [&](const TimedSteps& one) { return is_alike(one, past); });
        if (!is_known && known.timed.size() < most_sizes) {
            known.timed.push_back(past);
        }
    }
}

std::optional<JobReports> Reports::of(std::uint32_t job) const {
    const std::lock_guard lock(mutex_);
    const auto found = jobs_.find(job);
    return found == jobs_.end() ? std::nullopt : std::optional(found->second);
}

std::map<std::uint32_t, JobReports> Reports::all() const {
    const std::lock_guard lock(mutex_);
    return jobs_;
}

std::uint64_t Reports::count() const {
    const std::lock_guard lock(mutex_);
    return count_;
}

void Reports::keep_only(const std::vector<std::uint32_t>& jobs) {
    const std::lock_guard lock(mutex_);
    std::erase_if(jobs_, [&](const auto& known) {
        return !std::binary_search(jobs.begin(), jobs.end(), known.first);
    });
}

}  // namespace hora::horad
