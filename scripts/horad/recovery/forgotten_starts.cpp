// Has slurmctld, killed hard, forgotten that a job runs that horad restarted, and what becomes of
// the job?
#include "scripts/horad/recovery/forgotten_starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "plugins/slurm/jobs/restart_time.hpp"
#include "scripts/horad/journal/raised_priority.hpp"
#include "scripts/horad/observe/controller_age.hpp"
#include "scripts/horad/recovery/released_row.hpp"

namespace hora::horad {
namespace {

bool is_in_restart(std::uint32_t job, const std::vector<ResizeEntry>& under_way) {
    const ResizeEntry* const entry = entry_of(job, under_way);
    return entry != nullptr && !entry->was_pending;
}

// slurmctld counts the start that it forgot, or does not; the requeue of the refused start it
// counts. A job that it forgot may have been requeued by itself, or by anybody, before a node
// refuses it.
bool is_of(const OwnRestart& restart, const slurm::Job& job) {
    return job.uid == restart.uid && job.state == slurm::JobState::pending &&
           job.restarts >= restart.restarts &&
           (restart.is_anothers || job.restarts <= restart.restarts + 1);
}

// Has slurmctld, killed since, forgotten this start?
bool may_be_forgotten(const OwnRestart& restart, std::int64_t controller) {
    return !restart.is_anothers && is_another_start(restart.controller, controller);
}

// In seconds, how much later than a slurmctld that stood by takes over horad begins there, which
// then counts as its start.
constexpr std::int64_t longest_take_over = 10;

// Does this slurmctld hold it after a start that the one before has forgotten? A hold from before
// it began is of a launch that failed by itself, unless horad has taken it off and that was
// forgotten: then the job has not been requeued since.
bool is_held_by_mistake(const OwnRestart& restart, const slurm::Job& job, std::int64_t controller) {
    const bool is_new = job.submitted >= controller - longest_take_over;
    const bool was_released = restart.is_released && job.restarts == restart.restarts;
    return may_be_forgotten(restart, controller) && (is_new || was_released);
}

// A job that was refused is in the queue again when the node has ended what it still runs of it: in
// seconds, what that may take, and what the times of the drain and of the requeue may differ by.
constexpr std::int64_t longest_end = 600;
constexpr std::int64_t tolerance = 5;

// Has a node refused the start after which the job is held, since horad last released it?
bool was_refused(const slurm::Job& job, const std::set<std::int64_t>& refused_starts,
                 const OwnRestart& restart) {
    return std::any_of(refused_starts.begin(), refused_starts.end(), [&](std::int64_t refused) {
        return refused > restart.released_at && refused >= job.submitted - longest_end &&
               refused <= job.submitted + tolerance;
    });
}

Resized row_of(const slurm::Job& job, Moment now) {
    return released_row(job, job.restarts > 0 ? job.restarts - 1 : 0, "held by slurmctld",
                        "its node took the start before for running and refused this one, and "
                        "slurmctld held the job (launch failed requeued held)",
                        now);
}

}  // namespace

ForgottenStarts::ForgottenStarts(SlurmEdge& slurm, OwnRestarts& restarts, ResizeHistory& history,
                                 Log log)
    : slurm_(slurm),
      restarts_(restarts),
      history_(history),
      log_(log),
      complaints_(std::move(log)) {}

void ForgottenStarts::step(const Observation& seen, const std::vector<ResizeEntry>& under_way,
                           Moment now) {
    if (const auto kept = restarts_.see(seen); !kept) {
        complaints_.complain(0, kept.error().message);
    }
    complaints_.forget_gone(seen);
    note(under_way);
    note_refusals(seen.refused_starts, now);
    std::optional<std::int64_t> controller;  // asked once, and only where a job waits
    for (const ObservedJob& job : seen.jobs) {
        if (!restarts_.find(job.id) || is_in_restart(job.id, under_way)) {
            continue;
        }
        note_priority(job);
        if (job.state == slurm::JobState::pending && !job.is_completing) {
            controller = controller ? controller : slurm_.started();
            look_after(job, *controller, now);
        }
    }
}

void ForgottenStarts::note(const std::vector<ResizeEntry>& under_way) {
    for (const ResizeEntry& entry : under_way) {
        note_one(entry);
    }
}

// It is requeued. slurmctld may have been killed since it was asked, or since it began again, which
// no look at all jobs need have seen.
void ForgottenStarts::note_one(const ResizeEntry& entry) {
    if (!is_requeued(entry)) {
        return;
    }
    const std::int64_t controller = entry.controller != 0 ? entry.controller : slurm_.started();
    if (controller == 0) {
        return;  // by the next round slurmctld may say it
    }
    const auto kept = restarts_.note({.job = entry.resize.job,
                                      .uid = entry.uid,
                                      .restarts = entry.restarts,
                                      .priority = slurm_.computes_priorities() ? 0 : entry.priority,
                                      .controller = controller,
                                      .has_run = entry.state == ResizeState::verifying});
    if (!kept) {
        complaints_.complain(entry.resize.job, kept.error().message);
    }
}

// What an operator gives it meanwhile is its own from then on.
void ForgottenStarts::note_priority(const ObservedJob& job) {
    OwnRestart restart = *restarts_.find(job.id);
    const bool is_own = job.hold == slurm::Hold::none && job.priority != 0 &&
                        !restart.lacks_priority && !find_raised(job.admin_comment);
    if (restart.priority != 0 && is_own && job.priority != restart.priority) {
        restart.priority = job.priority;
        keep(restart);
    }
}

// An administrator may resume the node before the job is in the queue again.
void ForgottenStarts::note_refusals(const std::vector<std::int64_t>& refused_starts, Moment now) {
    refused_.insert(refused_starts.begin(), refused_starts.end());
    const auto oldest = static_cast<std::int64_t>(now.wall) - 2 * longest_end;
    refused_.erase(refused_.begin(), refused_.lower_bound(oldest));
}

void ForgottenStarts::look_after(const ObservedJob& listed, std::int64_t controller, Moment now) {
    if (controller == 0) {
        return;  // it is away
    }
    const OwnRestart restart = *restarts_.find(listed.id);
    const auto is_to_be_released = [&](const slurm::Job& job) {
        return job.hold == slurm::Hold::launch && (is_held_by_mistake(restart, job, controller) ||
                                                   was_refused(job, refused_, restart));
    };
    const bool is_to_rest = restart.has_run && listed.restarts == restart.restarts &&
                            may_be_forgotten(restart, controller);
    if (listed.hold == slurm::Hold::launch ? !is_to_be_released(listed)
                                           : !restart.lacks_priority && !is_to_rest) {
        return;
    }
    const auto job = slurm_.look_at(listed.id);
    if (!job || !*job || !is_of(restart, **job) || (*job)->is_completing) {
        return;
    }
    if (is_to_be_released(**job)) {
        release(**job, restart, controller, now);
    } else if (!(*job)->is_held() && restart.lacks_priority) {
        give_priority(**job, restart);
    } else if (!(*job)->is_held() && is_to_rest && (*job)->restarts == restart.restarts) {
        let_rest(**job, restart);
    }
}

// Written down before, for its own priority is given back in a second call.
void ForgottenStarts::release(const slurm::Job& job, OwnRestart restart, std::int64_t controller,
                              Moment now) {
    restart.restarts = job.restarts;
    restart.has_run = false;
    restart.is_anothers = false;
    restart.is_released = true;
    restart.lacks_priority = restart.priority != 0;
    keep(restart);
    if (!is_done(job.id, slurm_.change(job.id, release_of(job)), "the hold is not taken off")) {
        return;
    }
    restart.controller = controller;
    restart.released_at = job.updated;
    keep(restart);
    history_.record(row_of(job, now));
    give_priority(job, restart);
}

// slurmctld has given it one of the last, or computes it.
void ForgottenStarts::give_priority(const slurm::Job& job, OwnRestart restart) {
    if (!restart.lacks_priority) {
        return;
    }
    slurm::JobChange change;
    change.priority = restart.priority;
    const slurm::Answered answered = slurm_.change(job.id, change);
    if (!is_done(job.id, answered, "its own priority cannot be given back") &&
        answered.reply == slurm::Reply::unreachable) {
        return;
    }
    restart.lacks_priority = false;
    keep(restart);
}

// Its node has heard that it is to end what it still runs, and does so meanwhile.
void ForgottenStarts::let_rest(const slurm::Job& job, OwnRestart restart) {
    const std::int64_t begins = job.updated + slurm::settling_time;
    if (job.eligible < begins) {
        slurm::JobChange change;
        change.begins = begins;
        if (!is_done(job.id, slurm_.change(job.id, change), "it cannot be kept from starting")) {
            return;
        }
        log_(
            fmt::format("job {}: slurmctld was killed and forgot that it ran; it starts again in "
                        "{} s, when its node has ended it",
                        job.id, slurm::settling_time));
    }
    restart.has_run = false;
    keep(restart);
}

void ForgottenStarts::keep(const OwnRestart& restart) {
    if (const auto kept = restarts_.keep(restart); !kept) {
        complaints_.complain(restart.job, kept.error().message);
    }
}

bool ForgottenStarts::is_done(std::uint32_t job, const slurm::Answered& answered,
                              const std::string& what) {
    if (answered.reply == slurm::Reply::refused) {
        complaints_.complain(job, fmt::format("{}: {}", what, answered.why));
    }
    return answered.reply == slurm::Reply::done;
}

}  // namespace hora::horad
