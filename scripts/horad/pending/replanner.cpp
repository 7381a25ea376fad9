// Which jobs wait by a plan that has become a bad one, and when is that looked at?
#include "scripts/horad/pending/replanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::horad {
namespace {

const std::string of_replans = "plans of pending jobs";
const std::string of_journal = "pending jobs as they were";

// A node that restarts, and GPUs that are free for a moment between two jobs, are no reason yet.
constexpr Seconds lasting(10);

// For which the daemon's other work may wait, and a job more: on ten thousand nodes one takes long.
constexpr std::chrono::milliseconds most_at_once{100};
constexpr std::chrono::seconds least_pause{2};

// For which a job is left alone: slurmctld may answer otherwise soon, or hardly.
constexpr std::chrono::minutes a_while{1};
constexpr std::chrono::hours long_time{1};

std::chrono::steady_clock::duration steady(Seconds time) {
    return std::chrono::ceil<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(time.count()));
}

}  // namespace

bool may_be_planned_anew(const ObservedJob& job, std::int64_t now, Seconds pause) {
    const bool waits =
        job.state == slurm::JobState::pending && !job.is_completing &&
        job.hold == slurm::Hold::none && job.eligible != 0 && job.eligible <= now &&
        (job.waits_for == slurm::WaitsFor::resources || job.waits_for == slurm::WaitsFor::nodes);
    if (!waits || !job.is_batch || job.is_array || job.is_het || job.restarts > 0 || !job.memory) {
        return false;
    }
    const domain::Decision& decision = job.memory->decision;
    const std::int64_t since = std::max({job.eligible, decision.snapshot, decision.replanned.when});
    return decision.has_applied_plan() && !job.memory->options.is_off && pause > Seconds(0) &&
           (now < since || !(Seconds(static_cast<double>(now - since)) < pause));
}

void Replanner::step(const Observation& seen, const history::Digest& digest,
                     const std::vector<ResizeEntry>& under_way, const read::Settings& settings,
                     Log& log) {
    const Clock::time_point begin = Clock::now();
    if (begin < next_ || !seen.cluster) {
        return;
    }
    next_ = begin + least_pause;
    const auto is_gone = [&](const auto& one) { return seen.find(one.first) == nullptr; };
    std::erase_if(worse_, is_gone);
    std::erase_if(told_, is_gone);
    std::erase_if(rests_, [&](const auto& one) { return one.second <= begin; });
    const auto pause = settings.get<Seconds>("replan.pause");
    let_impossible_rest(seen, std::max<Clock::duration>(steady(pause), long_time), log);
    const std::vector<const ObservedJob*> jobs = due(seen, under_way, settings);
    if (jobs.empty()) {
        return;
    }
    domain::Snapshot snapshot = *seen.cluster;
    history::put_into(snapshot, digest);
    const ReplanScene scene{.snapshot = snapshot,
                            .settings = settings,
                            .now = seen.now,
                            .version = slurm::this_version};
    next_ = look_at_each(jobs, scene, begin, log);
}

Replanner::Clock::time_point Replanner::look_at_each(const std::vector<const ObservedJob*>& jobs,
                                                     const ReplanScene& scene,
                                                     Clock::time_point begin, Log& log) {
    constexpr int share_of_time = 10;
    for (const ObservedJob* const job : jobs) {
        const std::uint64_t before = replanned_;
        // Whoever was looked at out of turn does not move the turn.
        last_ = has_worse_for_long(job->id) ? last_ : job->id;
        look_at(*job, scene, log);
        if (replanned_ != before) {
            // Its GPUs look free until it starts: the others are looked at when it has.
            constexpr std::chrono::seconds start{30};
            worse_.clear();
            return Clock::now() + start;
        }
        if (Clock::now() - begin >= most_at_once) {
            break;
        }
    }
    return begin + std::max<Clock::duration>(least_pause, (Clock::now() - begin) * share_of_time);
}

// Some at a time, in turn: the daemon has other things to do. First those that are known to have
// had a worse plan for long enough.
std::vector<const ObservedJob*> Replanner::due(const Observation& seen,
                                               const std::vector<ResizeEntry>& under_way,
                                               const read::Settings& settings) {
    constexpr std::size_t most = 16;
    const auto pause = settings.get<Seconds>("replan.pause");
    std::vector<const ObservedJob*> jobs;
    for (const ObservedJob& job : seen.jobs) {
        if (entry_of(job.id, under_way) == nullptr && !rests_.contains(job.id) &&
            may_be_planned_anew(job, seen.now, pause)) {
            jobs.push_back(&job);
        }
    }
    const auto next = std::find_if(jobs.begin(), jobs.end(),
                                   [&](const ObservedJob* job) { return job->id > last_; });
    std::rotate(jobs.begin(), next, jobs.end());
    std::stable_partition(jobs.begin(), jobs.end(),
                          [&](const ObservedJob* job) { return has_worse_for_long(job->id); });
    jobs.resize(std::min(jobs.size(), most));
    return jobs;
}

bool Replanner::has_worse_for_long(std::uint32_t job) const {
    const auto found = worse_.find(job);
    return found != worse_.end() && found->second.lasts <= Clock::now();
}

void Replanner::leave_for(std::uint32_t job, Clock::duration time) {
    worse_.erase(job);
    rests_[job] = Clock::now() + time;
}

void Replanner::look_at(const ObservedJob& observed, const ReplanScene& scene, Log& log) {
    const auto job = slurm::look_at(observed.id);
    if (!job) {
        log.trouble(of_replans, job.error().message);
        return;
    }
    log.fine(of_replans);
    if (!*job || !(*job)->waits() || (*job)->is_held() || (*job)->is_impossible()) {
        return;
    }
    // As the comment is at this moment: the job may have been planned anew, or resized, meanwhile.
    const auto memory = plans_.memory_of((*job)->admin_comment);
    if (!memory) {
        return;
    }
    const auto plan = plan_anew(**job, memory->decision, memory->options, scene);
    if (!plan) {
        leave_for(observed.id, long_time);
        say(observed.id, "keeps its plan: " + plan.error().message, log);
        return;
    }
    if (!*plan) {
        worse_.erase(observed.id);
        return;
    }
    // Where it only waits elsewhere there is time to see whether nodes come back.
    const auto pause = scene.settings.get<Seconds>("replan.pause");
    const Clock::time_point now = Clock::now();
    Worse& worse = worse_.try_emplace(observed.id, Worse{.since = now, .lasts = now}).first->second;
    worse.lasts =
        worse.since + steady((*plan)->decision.waits ? std::max(lasting, pause) : lasting);
    if (worse.lasts <= now) {
        carry_out(**job, **plan, scene, log);
    }
}

// The record before the word that names it.
slurm::Answered Replanner::change(const slurm::Job& job, const NewPlan& plan,
                                  std::int64_t now) const {
    slurm::JobChange change = plan.change;
    const std::string word = plans_.keep(plan.decision, now);
    change.admin_comment = report::with_token(job.admin_comment, word);
    slurm::Answered answered = slurm::change_job(std::to_string(job.id), change);
    if (answered.reply == slurm::Reply::refused) {
        plans_.drop(word);
    }
    return answered;
}

void Replanner::carry_out(const slurm::Job& job, const NewPlan& plan, const ReplanScene& scene,
                          Log& log) {
    const domain::Decision& decision = plan.decision;
    const std::string what =
        fmt::format("{} x {} on {} instead of {}: {}", decision.gpus,
                    decision.uses.empty() ? "GPU" : decision.uses.front().type, decision.where,
                    decision.replanned.from, decision.replanned.why);
    const read::OperatingMode mode = scene.settings.mode_of(decision.partition);
    if (mode != read::OperatingMode::act) {
        leave_for(job.id, long_time);
        say(job.id,
            fmt::format("would be planned anew, {}; nothing is done in mode \"{}\"", what,
                        read::name_of(mode)),
            log);
        return;
    }
    // First of all what to go back to: the daemon may die at any moment.
    const std::uint64_t number = changes_.take_number();
    if (const auto kept = changes_.keep(change_of(number, job, plan, scene.now)); !kept) {
        leave_for(job.id, a_while);
        log.trouble(of_journal, kept.error().message);
        return;
    }
    log.fine(of_journal, "their requests are written down again");
    const slurm::Answered answered = change(job, plan, scene.now);
    worse_.erase(job.id);
    if (answered.reply != slurm::Reply::done) {
        changes_.forget_unless_given(number);
        leave_for(job.id, a_while);  // most of all because it has started
        say(job.id, "keeps its plan: " + answered.why, log);
        return;
    }
    ++replanned_;
    log.note(fmt::format("job {} is planned anew, {}", job.id, what));
}

// It would get the same plan again.
void Replanner::let_impossible_rest(const Observation& seen, Clock::duration rest, const Log& log) {
    for (const ObservedJob& job : seen.jobs) {
        const bool is_ours = job.memory && job.memory->decision.replanned.times > 0;
        if (job.state != slurm::JobState::pending || !job.is_impossible() || !is_ours) {
            continue;
        }
        leave_for(job.id, rest);
        if (!changes_.is_of(job.id)) {
            say(job.id, "can never run by its new plan, and its old one is not known here", log);
        }
    }
}

void Replanner::say(std::uint32_t job, const std::string& what, const Log& log) {
    if (std::exchange(told_[job], what) != what) {
        log.note(fmt::format("job {} {}", job, what));
    }
}

}  // namespace hora::horad
