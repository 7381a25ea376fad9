// Is this report of the job's owner, and of the start that runs now?
#include "scripts/horad/report_desk.hpp"

#include <utility>
#include <vector>

namespace hora::horad {

void ReportDesk::see(const Observation& seen) {
    std::map<std::uint32_t, Start> starts;
    std::vector<std::uint32_t> jobs;
    jobs.reserve(seen.jobs.size());
    for (const ObservedJob& job : seen.jobs) {
        if (job.state == slurm::JobState::ended) {
            continue;
        }
        jobs.push_back(job.id);
        starts.emplace_hint(starts.end(), job.id,
                            Start{job.uid, job.restarts,
                                  job.state == slurm::JobState::running ||
                                      job.state == slurm::JobState::suspended});
    }
    reports_.keep_only(jobs);
    const std::lock_guard lock(mutex_);
    starts_ = std::move(starts);
}

Judged ReportDesk::pass_on(const slurm::SignedReport& given) {
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

Judged ReportDesk::judge(const slurm::SignedReport& given, double now) {
    const slurm::Report& report = given.report;
    if (slurm::asks_for_gpus(report.kind)) {
        return pass_on(given);
    }
    const std::lock_guard lock(mutex_);
    const auto found = starts_.find(report.job);
    if (found == starts_.end()) {
        return {Verdict::later, failure("no such job runs")};
    }
    const Start& start = found->second;
    if (start.uid != given.uid) {
        ++refused_;
        return {Verdict::refused, failure("the job is another user's")};
    }
    if (report.restarts < start.restarts) {
        ++refused_;
        return {Verdict::refused, failure("the job has been started again since")};
    }
    if (report.restarts > start.restarts || !start.is_running) {
        return {Verdict::later, failure("this start of the job does not run")};
    }
    reports_.put(report, now);
    return {Verdict::taken, {}};
}

bool ReportDesk::is_first(const slurm::SignedReport& given) const {
    const std::lock_guard lock(mutex_);
    const auto found = starts_.find(given.report.job);
    if (slurm::asks_for_gpus(given.report.kind) || found == starts_.end() ||
        !found->second.is_running || found->second.uid != given.uid ||
        found->second.restarts != given.report.restarts) {
        return false;
    }
    const auto known = reports_.of(given.report.job);
    return !known || !known->is_heard || known->restarts < given.report.restarts;
}

std::uint64_t ReportDesk::refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
}

}  // namespace hora::horad
