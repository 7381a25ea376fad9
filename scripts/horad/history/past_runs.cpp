// Since when does each elastic job run, and what has it had, over all its starts?
#include "scripts/horad/history/past_runs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "scripts/horad/journal/state_list.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_jobs = 1'000'000;
constexpr std::uint64_t most = 0xffffffffU;

bool is_running(const ObservedJob& job) {
    return job.state == slurm::JobState::running || job.state == slurm::JobState::suspended;
}

bool is_same(const JobPast& past, const ObservedJob& job) {
    return past.uid == job.uid && job.memory && past.submitted == job.memory->decision.submitted &&
           past.restarts <= job.restarts;
}

struct KeptJob {
    std::uint32_t id = 0;
    JobPast past;
};

ordered_json json_of(std::uint32_t id, const JobPast& past) {
    return {{"job", id},
            {"uid", past.uid},
            {"submitted", past.submitted},
            {"first_started", past.first_started},
            {"last_started", past.last_started},
            {"first_restarts", past.first_restarts},
            {"restarts", past.restarts},
            {"attained", past.attained},
            {"seen", past.seen}};
}

KeptJob read_job(read::JsonObject object) {
    const auto number = [&](const char* key) {
        return static_cast<std::uint32_t>(object.whole(key, most));
    };
    KeptJob job;
    job.id = number("job");
    job.past.uid = number("uid");
    job.past.submitted = object.seconds_since_epoch("submitted");
    job.past.first_started = object.seconds_since_epoch("first_started");
    job.past.last_started = object.seconds_since_epoch("last_started");
    job.past.first_restarts = number("first_restarts");
    job.past.restarts = number("restarts");
    job.past.attained = object.number("attained");
    job.past.seen = object.seconds_since_epoch("seen");
    object.finish();
    return job;
}

StateWords words() {
    return {.file = scripts::StateFile::ledger,
            .name = "the list of elastic jobs",
            .damage = "cannot tell what elastic jobs have had",
            .advice = "it begins anew; running jobs count as started at their last start"};
}

}  // namespace

Expected<void> Ledger::load() {
    jobs_.clear();
    const auto jobs = load_state<KeptJob>(
        path_, words(), "jobs", most_jobs,
        [](read::JsonObject object, read::JsonProblem&) { return read_job(std::move(object)); });
    if (!jobs) {
        return unexpected(jobs.error());
    }
    for (const KeptJob& job : *jobs) {
        jobs_[job.id] = job.past;
    }
    return {};
}

void Ledger::see(const Observation& seen) {
    const std::size_t before = jobs_.size();
    std::erase_if(jobs_, [&](const auto& entry) {
        const ObservedJob* const job = seen.find(entry.first);
        return job == nullptr || job->state == slurm::JobState::ended ||
               !is_same(entry.second, *job);
    });
    is_news_ = is_news_ || jobs_.size() != before;
    for (const ObservedJob& job : seen.jobs) {
        if (!job.memory || !job.memory->options.is_elastic || !is_running(job)) {
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

Expected<void> Ledger::keep(std::int64_t now) {
    constexpr std::int64_t longest_pause = 60;
    const bool is_recent = now >= kept_ && now - kept_ < longest_pause;
    if (!is_news_ && (jobs_.empty() || is_recent)) {
        return {};
    }
    ordered_json list = ordered_json::array();
    for (const auto& [id, past] : jobs_) {
        list.push_back(json_of(id, past));
    }
    const std::string text = state_text("jobs", std::move(list));
    if (auto done = write_state(path_, words(), text); !done) {
        return done;
    }
    is_news_ = false;
    kept_ = now;
    return {};
}

const JobPast* Ledger::find(const ObservedJob& job) const {
    const auto found = jobs_.find(job.id);
    return found != jobs_.end() && is_same(found->second, job) ? &found->second : nullptr;
}

}  // namespace hora::horad
