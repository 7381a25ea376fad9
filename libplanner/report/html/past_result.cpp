// When did the jobs of the past hold how many GPUs, by what was measured of them?
#include "libplanner/report/html/past_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "libplanner/report/html/gpu_changes.hpp"

namespace hora::report {
namespace {

// Slurm counts job numbers anew after a while, so the time of submission belongs to it.
using JobKey = std::pair<std::int64_t, std::uint64_t>;

Seconds at(std::int64_t seconds) {
    return Seconds(static_cast<double>(seconds));
}

Seconds held_of(const MeasuredRun& run) {
    return run.measured * static_cast<double>(run.steps) + run.lost.value_or(Seconds(0));
}

// Of runs after a resize, by job and restarts: the first step.
using FirstSteps = std::map<std::pair<JobKey, std::uint32_t>, Seconds>;

// Its steps were not always as long as they were in the end; a first step that was seen is surer.
Seconds start_of(const MeasuredRun& run, Seconds earliest, const FirstSteps& first_steps) {
    const Seconds start = std::max(at(run.when) - held_of(run), earliest);
    const auto seen = first_steps.find({{run.submitted, run.job}, run.restarts});
    const bool is_of_run =
        seen != first_steps.end() && seen->second >= earliest && seen->second <= at(run.when);
    return is_of_run ? std::min(start, seen->second) : start;
}

sim::JobResult job_of(std::vector<const MeasuredRun*> runs, const FirstSteps& first_steps) {
    std::sort(runs.begin(), runs.end(),
              [](const MeasuredRun* a, const MeasuredRun* b) { return a->restarts < b->restarts; });
    sim::JobResult job;
    job.job = static_cast<std::uint32_t>(runs.front()->job);
    job.submitted = at(runs.front()->submitted);
    job.restarts = runs.back()->restarts;
    job.ended = job.submitted;
    for (const MeasuredRun* run : runs) {
        const Seconds start = start_of(*run, job.ended, first_steps);
        const Seconds end = std::max(at(run->when), start);
        if (!job.segments.empty() && start > job.ended) {
            job.segments.push_back({job.ended, 0, 0});
        }
        job.segments.push_back({start, run->gpus, run->nodes});
        job.gpu_seconds += run->gpus * (end - start).count();
        job.ended = end;
    }
    job.started = job.segments.front().start;
    return job;
}

// What it holds now. Between the last run that was heard of and a later start it held nothing.
void prolong(sim::JobResult& job, const domain::StatusJob& now, Seconds resized, Seconds written) {
    const Seconds begun = std::max(at(now.started.value_or(now.submitted)), resized);
    if (job.segments.empty()) {
        job.started = at(now.started.value_or(now.submitted));
        job.ended = job.started;
    } else if (begun > job.ended) {
        job.segments.push_back({job.ended, 0, 0});
        job.ended = begun;
    }
    const Seconds end = std::max(written, job.ended);
    if (job.segments.empty() || job.segments.back().gpus != now.gpus) {
        job.segments.push_back({job.ended, now.gpus, now.nodes});
    }
    job.gpu_seconds += now.gpus * (end - job.ended).count();
    job.ended = end;
    job.restarts = std::max(job.restarts, now.restarts);
}

std::uint32_t most_held_at_once(const std::vector<sim::JobResult>& jobs) {
    std::vector<std::uint32_t> by_job(jobs.size(), 0);
    std::int64_t held = 0;
    std::int64_t most = 0;
    for (const GpuChange& change : gpu_changes(jobs)) {
        held += std::int64_t{change.gpus} - by_job[change.job];
        by_job[change.job] = change.gpus;
        most = std::max(most, held);
    }
    return static_cast<std::uint32_t>(std::min<std::int64_t>(most, 0xffffffff));
}

}  // namespace

PageRun past_result(const std::vector<MeasuredRun>& runs, const std::vector<Rescale>& rescales,
                    const domain::Status& status) {
    FirstSteps first_steps;
    std::map<JobKey, Seconds> resized;  // when it last ran again
    for (const Rescale& rescale : rescales) {
        Seconds& last = resized[{rescale.submitted, rescale.job}];
        last = std::max(last, Seconds(rescale.started.value_or(0)));
        if (rescale.first_step) {
            first_steps[{{rescale.submitted, rescale.job}, rescale.restarts + 1}] =
                Seconds(*rescale.first_step);
        }
    }
    std::map<JobKey, std::vector<const MeasuredRun*>> by_job;
    for (const MeasuredRun& run : runs) {
        by_job[{run.submitted, run.job}].push_back(&run);
    }
    std::map<JobKey, sim::JobResult> jobs;
    for (const auto& [key, of_job] : by_job) {
        jobs.emplace(key, job_of(of_job, first_steps));
    }
    std::map<JobKey, std::string> names;
    for (const domain::StatusJob& now : status.jobs) {
        if (now.gpus == 0) {
            continue;
        }
        const JobKey key{now.submitted, now.id};
        sim::JobResult& job = jobs[key];
        job.job = now.id;
        job.submitted = at(now.submitted);
        prolong(job, now, resized[key], at(status.written));
        names[key] = fmt::format("{} {}", now.id, now.name);
    }
    PageRun page;
    page.result.policy = status.policy.empty() ? "as it was" : status.policy;
    for (auto& [key, job] : jobs) {
        const auto name = names.find(key);
        page.labels.push_back(name == names.end() ? fmt::format("{}", key.second) : name->second);
        page.result.jobs.push_back(std::move(job));
    }
    page.result.gpus = status.gpus > 0 ? status.gpus : most_held_at_once(page.result.jobs);
    return page;
}

}  // namespace hora::report
