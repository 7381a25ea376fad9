// How does a job go back to the queue at its checkpoint, so that no line of its script after srun
// runs?
#include "scripts/watch-job/requeue/requeue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "plugins/slurm/controller_start.hpp"
#include "plugins/slurm/jobs/job_end.hpp"
#include "plugins/slurm/jobs/resize_job.hpp"
#include "plugins/slurm/jobs/rest_of_limit.hpp"
#include "plugins/slurm/jobs/restart_time.hpp"
#include "plugins/slurm/newest_slurmd.hpp"
#include "scripts/watch-job/requeue/frozen.hpp"
#include "scripts/watch-job/requeue/held_script.hpp"

namespace hora::watch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

// As long as a program waits for its end; beyond it nobody is held still for an answer.
constexpr seconds longest_stop(60);
// A slurmctld that is restarted answers by then.
constexpr seconds longest_silence(60);
// Of one whole run that Slurm is cleaning up.
constexpr seconds longest_completing(900);
// Of a slurmctld: meanwhile nothing begins.
constexpr seconds longest_absence(900);

slurm::JobStart start_of(const JobMark& mark) {
    return {.restarts = mark.restarts, .began = mark.began};
}

// Empty where it may be asked for.
std::string obstacle(const std::optional<slurm::Job>& view, std::uint32_t restarts) {
    if (!view || view->state != slurm::JobState::running || view->is_completing) {
        return "the job does not run any more";
    }
    if (view->restarts > restarts) {
        return fmt::format("the job is in start {} already", view->restarts);
    }
    return view->may_requeue ? std::string() : "the job may not be requeued (--no-requeue)";
}

// Fails where slurmctld has not answered by then.
Expected<std::optional<slurm::Job>> look_until_answered(std::uint32_t job,
                                                        Clock::time_point deadline) {
    while (true) {
        auto view = slurm::look_at(job);
        if (view || Clock::now() >= deadline) {
            return view;
        }
        std::this_thread::sleep_for(milliseconds(200));
    }
}

// Whatever the answer was: has the job gone back to the queue? Empty where slurmctld has not
// answered by then.
std::optional<bool> has_gone_back(const JobMark& mark, Clock::time_point deadline) {
    const auto view = look_until_answered(mark.job, deadline);
    if (!view) {
        return std::nullopt;
    }
    return *view && ((*view)->state == slurm::JobState::pending ||
                     slurm::has_begun_since(**view, start_of(mark)));
}

Attempt judge(const slurm::Answered& answer, const std::optional<bool>& is_back) {
    // An answer that nobody can confirm any more: slurmctld did as it said.
    if (is_back.value_or(answer.reply == slurm::Reply::done)) {
        return {Outcome::requeued, {}};
    }
    if (answer.reply == slurm::Reply::done) {
        return {Outcome::refused, "the job ended meanwhile"};
    }
    return {answer.reply == slurm::Reply::refused ? Outcome::refused : Outcome::unreachable,
            answer.why};
}

Attempt ask(const JobMark& mark, const std::string& name, pid_t shell) {
    const Clock::time_point deadline = Clock::now() + longest_stop;
    HeldScript held(mark, shell);
    const slurm::Answered answer =
        held.ask([&name] { return slurm::requeue_running(name); }, deadline);
    const Attempt attempt = judge(answer, has_gone_back(mark, deadline));
    if (attempt.outcome == Outcome::requeued) {
        held.end();
    }
    return attempt;
}

struct Clean {
    std::int64_t begins = 0;  // as Slurm has it by itself
    std::int64_t latest = 0;  // that slurmctld's clock has shown until then
};

// Is it in the queue for the start after this one?
bool waits_anew(const std::optional<slurm::Job>& view, const Run& run) {
    return view && view->restarts == run.restarts + 1 && view->state == slurm::JobState::pending;
}

// Until the last run of the requeued job is cleaned up; empty where it never is seen.
std::optional<Clean> wait_until_clean(std::uint32_t job, const Run& run) {
    std::int64_t latest = 0;
    const Clock::time_point deadline = Clock::now() + longest_completing;
    milliseconds pause(100);
    while (Clock::now() < deadline) {
        const auto view = slurm::look_at(job);
        if (view && !waits_anew(*view, run)) {
            return std::nullopt;
        }
        latest = view ? std::max(latest, slurm::latest_shown(**view, true)) : latest;
        if (view && !(*view)->is_completing) {
            return Clean{(*view)->eligible, latest};
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, milliseconds(2000));
    }
    return std::nullopt;
}

// Until slurmctld's clock has come so far; nearly so long as that takes if it is not set meanwhile.
void wait_for_clock(std::uint32_t job, std::int64_t time) {
    const Clock::time_point deadline = Clock::now() + seconds(slurm::settling_time + 2);
    while (Clock::now() < deadline) {
        const auto view = slurm::look_at(job);
        if (view && *view && (*view)->updated >= time) {
            return;
        }
        std::this_thread::sleep_for(milliseconds(100));
    }
}

// Empty where it is early enough as it is, or users may not look at nodes. Fails where slurmctld
// does not answer.
Expected<std::optional<std::int64_t>> earlier_begin(const slurm::Job& view, const Clean& clean,
                                                    const Run& run) {
    // By slurmctld's clock: this node's may be off.
    const std::int64_t clock = view.updated;
    std::int64_t soon = slurm::next_begin(clock, clean.latest);
    // Nobody says when one that stood by took over: maybe just now.
    const slurm::ControllerStart start = slurm::controller_start();
    if (start.started == 0) {
        return failure("slurmctld does not say since when it runs");
    }
    const std::int64_t settled =
        (start.has_stood_by ? clock : start.started) + slurm::settling_time;
    soon = settled <= clock + slurm::settling_time ? std::max(soon, settled) : soon;
    const auto slurmd_started = slurm::newest_slurmd(run.nodes);
    if (!slurmd_started) {
        return unexpected(slurmd_started.error());
    }
    if (!*slurmd_started) {
        return std::nullopt;
    }
    soon = std::max(soon, slurm::told_by(run.began, **slurmd_started));
    return view.eligible > soon ? std::optional(soon) : std::nullopt;
}

// False where slurmctld does not answer.
bool make(slurm::JobChange change, const slurm::Job& view) {
    if (!change.begins && !change.time_limit) {
        return true;
    }
    slurm::Answered answer = slurm::change_job(view.target, change);
    if (answer.reply == slurm::Reply::refused && change.begins &&
        std::exchange(change.time_limit, std::nullopt)) {
        answer = slurm::change_job(view.target, change);
    }
    if (answer.reply == slurm::Reply::done && change.begins) {
        // Changing nothing makes slurmctld look for jobs to start, once this one may.
        wait_for_clock(view.id, *change.begins);
        answer = slurm::change_job(view.target, {});
    }
    return answer.reply != slurm::Reply::unreachable;
}

// What a requeued job gets for its next start, until slurmctld has answered.
class NextStart {
  public:
    NextStart(const Run& run, const Clean& clean, const std::optional<LimitChange>& limit)
        : run_(run), clean_(clean), limit_(limit) {}

    // False where it is to be asked for anew.
    bool ask(std::uint32_t job) {
        const auto view = slurm::look_at(job);
        if (!view || !waits_anew(*view, run_)) {
            return view.has_value();
        }
        slurm::JobChange change;
        if (limit_ && (*view)->time_limit == limit_->limit) {
            change.time_limit = limit_->rest;
        }
        const auto begins = begin_of(**view);
        change.begins = begins.value_or(std::nullopt);
        asked_ = change.begins ? change.begins : asked_;
        return make(change, **view) && begins.has_value();
    }

  private:
    Expected<std::optional<std::int64_t>> begin_of(const slurm::Job& view) const {
        if (asked_ && view.eligible == *asked_) {
            return asked_;  // it was taken, and the answer was lost
        }
        if (view.is_held() || view.eligible != clean_.begins) {
            return std::nullopt;
        }
        return earlier_begin(view, clean_, run_);
    }

    const Run& run_;
    const Clean& clean_;
    const std::optional<LimitChange>& limit_;
    std::optional<std::int64_t> asked_;  // the begin that was asked for last
};

std::optional<LimitChange> limit_change(const slurm::Job& view) {
    if (!view.time_limit || view.began <= 0) {
        return std::nullopt;
    }
    const auto rest = slurm::rest_of_limit(*view.time_limit, view.ran_by(view.updated));
    return rest ? std::optional(LimitChange{*view.time_limit, *rest}) : std::nullopt;
}

}  // namespace

Attempt requeue(const JobMark& mark, pid_t shell) {
    const auto view = slurm::look_at(mark.job);
    if (!view) {
        return {Outcome::unreachable, view.error().message};
    }
    if (const std::string why = obstacle(*view, mark.restarts); !why.empty()) {
        return {Outcome::refused, why};
    }
    if (slurm::has_begun_since(**view, start_of(mark))) {
        return {Outcome::replaced, "the job has been started again already"};
    }
    Attempt attempt = ask(mark, (*view)->target, shell);
    if (attempt.outcome == Outcome::requeued) {
        attempt.limit = limit_change(**view);
        attempt.run = {
            .nodes = (*view)->where, .restarts = (*view)->restarts, .began = (*view)->started};
    }
    return attempt;
}

bool end_if_replaced(const JobMark& mark, pid_t shell) {
    const auto view = slurm::look_at(mark.job);
    const bool is_replaced = view && *view && (*view)->restarts > mark.restarts &&
                             (*view)->state == slurm::JobState::running;
    if (is_replaced) {
        Frozen(shell).end(mark);
    }
    return is_replaced;
}

void end_what_is_left(const JobMark& mark) {
    const auto view = look_until_answered(mark.job, Clock::now() + longest_silence);
    if (view && *view &&
        ((*view)->restarts > mark.restarts || (*view)->state == slurm::JobState::pending)) {
        end_ranks(mark);
    }
}

std::optional<Holding> holding_of(std::uint32_t job) {
    const auto view = slurm::look_at(job);
    if (!view || !*view || !(*view)->holds_nodes()) {
        return std::nullopt;
    }
    return Holding{(*view)->gpus, (*view)->shape.nodes, (*view)->started};
}

void begin_soon(std::uint32_t job, const Run& run, int grace,
                const std::optional<LimitChange>& limit) {
    const auto clean = wait_until_clean(job, run);
    if (!clean) {
        return;
    }
    // Slurm by itself may let it begin before that.
    constexpr std::int64_t reserve = 2;
    const std::int64_t most = std::max<std::int64_t>(clean->begins - clean->latest - reserve, 0);
    std::this_thread::sleep_for(seconds(std::min<std::int64_t>(grace, most)));
    NextStart next(run, *clean, limit);
    const Clock::time_point deadline = Clock::now() + longest_absence;
    milliseconds pause(200);
    while (!next.ask(job) && Clock::now() < deadline) {
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, milliseconds(2000));
    }
}

}  // namespace hora::watch
