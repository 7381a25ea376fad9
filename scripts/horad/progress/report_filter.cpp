// Is this report of the job's owner and of the start that runs now, and may it be true?
#include "scripts/horad/progress/report_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "plugins/slurm/jobs/batch_word.hpp"
#include "scripts/horad/progress/stated_work.hpp"

namespace hora::horad {

ReportFilter::Start ReportFilter::start_of(const ObservedJob& job) {
    Start start{.uid = job.uid,
                .restarts = job.restarts,
                .is_running = job.state == slurm::JobState::running ||
                              job.state == slurm::JobState::suspended,
                .gpus = job.gpus,
                .nodes = job.shape.nodes,
                .most_gpus = job.gpus,
                .most_nodes = job.shape.nodes,
                .steps = std::nullopt};
    if (job.memory) {
        start.steps = stated_steps(job.memory->options);
        start.batch = slurm::batch_of_start(job.admin_comment, job.memory->options);
    }
    return start;
}

std::string ReportFilter::why_not_believed(const slurm::Report& report, const Start& start) {
    // Owners state too little in good faith, and who has more to do gains nothing by it.
    constexpr std::uint64_t most_misstated = 10;
    if (start.steps && report.step / most_misstated > *start.steps) {
        return fmt::format(
            "it reports step {}, more than {} times the {} that the job was to do "
            "(--hora-samples, --hora-epochs)",
            report.step, most_misstated, *start.steps);
    }
    // What is said of GPUs where slurmctld knows of none is not used.
    const bool has_gpus = start.most_gpus > 0;
    if ((has_gpus && report.gpus > start.most_gpus) || report.nodes > start.most_nodes) {
        return fmt::format("it reports {} on {}, and the job holds {} on {}",
                           counted(report.gpus, "GPU"), counted(report.nodes, "node"),
                           counted(start.gpus, "GPU"), counted(start.nodes, "node"));
    }
    return {};
}

void ReportFilter::see(const Observation& seen, const std::set<std::uint32_t>& resized) {
    std::map<std::uint32_t, Start> starts;
    std::vector<std::uint32_t> jobs;
    jobs.reserve(seen.jobs.size());
    for (const ObservedJob& job : seen.jobs) {
        if (!job.is_over() || resized.contains(job.id)) {
            jobs.push_back(job.id);
        }
        if (job.state != slurm::JobState::ended) {
            starts.emplace_hint(starts.end(), job.id, start_of(job));
        }
    }
    reports_.keep_only(jobs);
    const std::lock_guard lock(mutex_);
    for (auto& [job, start] : starts) {
        const auto before = starts_.find(job);
        if (start.is_running && before != starts_.end() && before->second.is_running &&
            before->second.restarts == start.restarts && before->second.uid == start.uid) {
            start.most_gpus = std::max(start.most_gpus, before->second.most_gpus);
            start.most_nodes = std::max(start.most_nodes, before->second.most_nodes);
            // What an administrator writes meanwhile is for the next one.
            start.batch = before->second.batch;
            start.has_been_refused = before->second.has_been_refused;
        }
    }
    starts_ = std::move(starts);
}

Judged ReportFilter::pass_on(const slurm::SignedReport& given) {
    if (resizes_ == nullptr) {
        return {Verdict::refused, failure("this daemon resizes no jobs")};
    }
    auto outcome = resizes_->ask({.job = given.report.job,
                                  .gpus = given.report.gpus,
                                  .tag = given.report.restarts,
                                  .uid = given.uid,
                                  .is_forced = given.report.kind == slurm::ReportKind::force});
    if (!outcome) {
        return {Verdict::later, failure("horad has not looked at it yet")};
    }
    return {*outcome ? Verdict::taken : Verdict::refused, std::move(*outcome)};
}

Judged ReportFilter::judge(const slurm::SignedReport& given, double now) {
    const slurm::Report& report = given.report;
    if (slurm::asks_for_gpus(report.kind)) {
        return pass_on(given);
    }
    const std::lock_guard lock(mutex_);
    const auto found = starts_.find(report.job);
    // Which numbers other users' jobs have is not told.
    if (found == starts_.end() || found->second.uid != given.uid) {
        return {Verdict::later, failure("no such job of this user runs")};
    }
    Start& start = found->second;
    if (report.restarts < start.restarts) {
        ++refused_;
        return {Verdict::refused, failure("the job has been started again since")};
    }
    if (report.restarts > start.restarts && start.is_running) {
        reports_.note_later(report, now);
    }
    if (report.restarts > start.restarts || !start.is_running) {
        return {Verdict::later, failure("this start of the job does not run")};
    }
    if (std::string why = why_not_believed(report, start); !why.empty()) {
        ++refused_;
        start.has_been_refused = true;
        return {Verdict::refused, failure(std::move(why))};
    }
    slurm::Report believed = report;
    if (believed.kind == slurm::ReportKind::progress) {
        believed.gpus = start.gpus;
        believed.nodes = start.nodes;
    }
    reports_.put(believed, now, start.batch);
    return {Verdict::taken, {}};
}

Judged ReportFilter::judge_last(const slurm::SignedReport& given, double now) {
    Judged judged = judge(given, now);
    if (judged.verdict == Verdict::later) {
        judged.verdict = Verdict::refused;
        const std::lock_guard lock(mutex_);
        ++refused_;
    }
    return judged;
}

bool ReportFilter::is_first(const slurm::SignedReport& given) const {
    const std::lock_guard lock(mutex_);
    const auto found = starts_.find(given.report.job);
    if (slurm::asks_for_gpus(given.report.kind) || found == starts_.end() ||
        !found->second.is_running || found->second.uid != given.uid ||
        found->second.restarts != given.report.restarts || found->second.has_been_refused) {
        return false;
    }
    const auto known = reports_.of(given.report.job);
    return !known || !known->is_heard || known->restarts < given.report.restarts;
}

std::uint64_t ReportFilter::refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
}

}  // namespace hora::horad
