// Since when does each elastic job run, and what has it had, over all its starts?
#include "scripts/horad/history/past_runs.hpp"

#include <algorithm>

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

bool is_same(const JobPast& past, const ObservedJob& job) {
    return past.uid == job.uid && job.memory && past.submitted == job.memory->decision.submitted &&
           past.restarts <= job.restarts;
}

ordered_json json_of(const PastRun& run) {
    return {{"job", run.job},
            {"uid", run.past.uid},
            {"submitted", run.past.submitted},
            {"first_started", run.past.first_started},
            {"last_started", run.past.last_started},
            {"first_restarts", run.past.first_restarts},
            {"restarts", run.past.restarts},
            {"attained", run.past.attained},
            {"seen", run.past.seen}};
}

PastRun read_run(read::JsonObject object, read::JsonProblem&) {
    PastRun run;
    run.job = object.count("job");
    run.past.uid = object.count("uid");
    run.past.submitted = object.seconds_since_epoch("submitted");
    run.past.first_started = object.seconds_since_epoch("first_started");
    run.past.last_started = object.seconds_since_epoch("last_started");
    run.past.first_restarts = object.count("first_restarts");
    run.past.restarts = object.count("restarts");
    run.past.attained = object.number("attained");
    run.past.seen = object.seconds_since_epoch("seen");
    object.finish();
    return run;
}

std::uint64_t job_of(const PastRun& run) {
    return run.job;
}

const ListFormat<PastRun> list_of_past_runs{
    .name = "past runs",
    .what = "the list of elastic jobs",
    .damage = "cannot tell what elastic jobs have had",
    .advice = "running jobs count as started at their last start",
    .earlier = scripts::StateFile::past_runs,
    .earlier_key = "jobs",
    .number = job_of,
    .write = json_of,
    .read = read_run,
};

}  // namespace

PastRuns::PastRuns(JournalFile& journal) : kept_(journal, list_of_past_runs) {}

Expected<void> PastRuns::load() {
    if (kept_.is_loaded()) {
        return {};
    }
    auto loaded = kept_.load();
    for (const auto& [job, run] : kept_.all()) {
        jobs_[run.job] = run.past;
    }
    return loaded;
}

void PastRuns::see(const Observation& seen) {
    const std::size_t before = jobs_.size();
    std::erase_if(jobs_, [&](const auto& entry) {
        const ObservedJob* const job = seen.find(entry.first);
        return job == nullptr || job->is_over() || !is_same(entry.second, *job);
    });
    is_news_ = is_news_ || jobs_.size() != before;
    for (const ObservedJob& job : seen.jobs) {
        if (!job.memory || !job.memory->options.is_elastic || !job.holds_nodes()) {
            continue;
        }
        const auto [place, is_new] = jobs_.try_emplace(job.id);
        JobPast& past = place->second;
        if (is_new) {
            past = {.uid = job.uid,
                    .submitted = job.memory->decision.submitted,
                    .first_started = job.started,
                    .last_started = job.started,
                    .first_restarts = job.restarts,
                    .restarts = job.restarts,
                    .attained = 0,
                    .seen = job.started};
        }
        is_news_ = is_news_ || is_new || past.restarts != job.restarts;
        past.last_started = job.started;
        past.restarts = job.restarts;
        const std::int64_t since = std::max(past.seen, job.started);
        past.attained +=
            static_cast<double>(std::max<std::int64_t>(seen.now - since, 0)) * job.gpus;
        past.seen = std::max(seen.now, past.seen);
    }
}

Expected<void> PastRuns::keep(std::int64_t now) {
    constexpr std::int64_t longest_pause = 60;
    const bool is_recent = now >= written_ && now - written_ < longest_pause;
    if (!is_news_ && (jobs_.empty() || is_recent)) {
        return {};
    }
    if (auto loaded = load(); !loaded) {
        return loaded;
    }
    auto kept = kept_.change([&](auto& runs) {
        runs.clear();
        for (const auto& [job, past] : jobs_) {
            runs[job] = {job, past};
        }
    });
    if (kept) {
        is_news_ = false;
        written_ = now;
    }
    return kept;
}

const JobPast* PastRuns::find(const ObservedJob& job) const {
    const auto found = jobs_.find(job.id);
    return found != jobs_.end() && is_same(found->second, job) ? &found->second : nullptr;
}

}  // namespace hora::horad
