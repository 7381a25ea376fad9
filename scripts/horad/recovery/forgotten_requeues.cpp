// Has slurmctld, killed hard, forgotten that a job went back to the queue, and what becomes of the
// job?
#include "scripts/horad/recovery/forgotten_requeues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plugins/slurm/jobs/job_end.hpp"
#include "scripts/horad/recovery/released_row.hpp"

namespace hora::horad {
namespace {

// A resize that was begun since has not got beyond its request, and goes on when the job is back in
// the queue.
bool is_being_restarted(std::uint32_t job, const std::vector<ResizeEntry>& under_way) {
    const ResizeEntry* const entry = entry_of(job, under_way);
    return entry != nullptr && entry->state >= ResizeState::updating_request;
}

bool is_forgotten(const OwnRestart& restart, const slurm::Job& job) {
    return job.uid == restart.uid && job.restarts < restart.restarts;
}

// The start before the requeue as well: the job waits for it, or slurmctld has begun it since.
bool has_forgotten_start(const slurm::Job& job, std::int64_t controller) {
    return job.state == slurm::JobState::pending || slurm::has_begun_since(job, controller);
}

Resized row_of(const slurm::Job& job, Moment now) {
    return released_row(
        job, job.restarts, "its requeue was forgotten",
        job.has_failed ? "slurmctld was killed, forgot that the job had gone back to the queue, "
                         "and took the end of that start for the job's"
                       : "slurmctld was killed, forgot that the job had gone back to the queue, "
                         "and took it for running",
        now);
}

}  // namespace

ForgottenRequeues::ForgottenRequeues(SlurmEdge& slurm, OwnRestarts& restarts,
                                     ResizeHistory& history, Log log)
    : slurm_(slurm),
      restarts_(restarts),
      history_(history),
      log_(log),
      complaints_(std::move(log)) {}

void ForgottenRequeues::step(const Observation& seen, const Reports& reports,
                             const std::vector<ResizeEntry>& under_way, Moment now) {
    controller_.see(slurm_.started(), now.steady);
    const auto is_gone = [&](const auto& one) { return seen.find(one.first) == nullptr; };
    std::erase_if(asked_, is_gone);
    complaints_.forget_gone(seen);
    for (const ObservedJob& job : seen.jobs) {
        const auto restart = restarts_.find(job.id);
        // Nothing but a lost state takes a requeue back that slurmctld has counted.
        if (restart && job.uid == restart->uid && job.restarts < restart->restarts &&
            !is_being_restarted(job.id, under_way)) {
            look_after(job, *restart, reports, now);
        }
    }
}

void ForgottenRequeues::look_after(const ObservedJob& listed, const OwnRestart& restart,
                                   const Reports& reports, Moment now) {
    const auto look = slurm_.look_at(listed.id);
    if (!look || !*look || !is_forgotten(restart, **look) || (*look)->is_completing) {
        return;
    }
    const slurm::Job& job = **look;
    const std::int64_t controller = slurm_.started();
    if (controller == 0) {
        return;  // it is away
    }
    if (has_forgotten_start(job, controller)) {
        take_count_of(job, restart);
        return;
    }
    // Until then a node may not have told what runs on it.
    if (!controller_.has_settled(controller, job.updated, now.steady)) {
        return;
    }
    if (job.has_failed) {
        bring_back(job, restart, controller, now);
    } else if (job.state == slurm::JobState::ended) {
        forget(job.id);  // its owner has cancelled it, or it was done
    } else if (job.state == slurm::JobState::running) {
        look_at_running(listed, job, restart, controller, reports, now);
    }
}

// The node may still run what slurmctld has forgotten: ForgottenStarts lets one that waits rest.
void ForgottenRequeues::take_count_of(const slurm::Job& job, OwnRestart restart) {
    restart.restarts = job.restarts;
    restart.has_run = true;
    restart.is_anothers = false;
    restart.asked_at = restart.asked_of = 0;
    keep(restart);
    asked_.erase(job.id);
}

void ForgottenRequeues::look_at_running(const ObservedJob& listed, const slurm::Job& job,
                                        const OwnRestart& restart, std::int64_t controller,
                                        const Reports& reports, Moment now) {
    // Killed once more, slurmctld may have forgotten the start that the last request led to.
    if (restart.asked_at == 0 || is_another_start(restart.asked_of, controller)) {
        ask(listed, restart, controller, now);
        return;
    }
    if (now.steady - since(restart, now) < patience_) {
        return;
    }
    const auto reported = reports.of(job.id);
    if (reported && reported->later && reported->later->restarts == restart.restarts &&
        reported->later->heard > static_cast<double>(restart.asked_at) &&
        now.wall - reported->later->heard < silence * patience_.count()) {
        complaints_.complain(
            job.id,
            "slurmctld takes its start for the one before; it gives no checkpoint, and "
            "runs on");
        return;
    }
    bring_back(job, restart, controller, now);
}

// By the steady clock. The wall's has to do for what an earlier daemon has asked.
Seconds ForgottenRequeues::since(const OwnRestart& restart, Moment now) {
    const auto known = asked_.find(restart.job);
    if (known == asked_.end() || known->second.at != restart.asked_at) {
        const Seconds waited(now.wall - static_cast<double>(restart.asked_at));
        asked_[restart.job] = {.at = restart.asked_at,
                               .steady = now.steady - std::clamp(waited, Seconds(0), patience_)};
    }
    return asked_[restart.job].steady;
}

// The next start goes back to the queue at it, and then counts as one that horad has released.
void ForgottenRequeues::ask(const ObservedJob& job, const OwnRestart& restart,
                            std::int64_t controller, Moment now) {
    OwnRestart kept = restart;
    kept.has_run = false;
    kept.is_released = true;
    keep(kept);
    const auto signal = job.memory ? job.memory->options.signal : domain::CheckpointSignal::usr1;
    if (slurm_.ask_for_checkpoint(job.id, signal).reply == slurm::Reply::unreachable) {
        return;
    }
    kept.asked_at = static_cast<std::int64_t>(now.wall);
    kept.asked_of = controller;
    keep(kept);
    asked_[job.id] = {.at = kept.asked_at, .steady = now.steady};
    log_(
        fmt::format("job {}: slurmctld was killed and forgot that it had gone back to the queue; "
                    "asked for a checkpoint",
                    job.id));
}

// Written down before: from then on it may begin without the two minutes of a requeue.
void ForgottenRequeues::bring_back(const slurm::Job& job, OwnRestart restart,
                                   std::int64_t controller, Moment now) {
    restart.restarts = job.restarts + 1;
    restart.has_run = false;
    restart.is_released = true;
    restart.asked_at = restart.asked_of = 0;
    keep(restart);
    const slurm::Answered answered = slurm_.requeue(job);
    if (answered.reply == slurm::Reply::refused) {
        complaints_.complain(job.id,
                             fmt::format("it cannot go back to the queue: {}", answered.why));
    }
    if (answered.reply != slurm::Reply::done) {
        return;
    }
    restart.controller = controller;
    keep(restart);
    asked_.erase(job.id);
    history_.record(row_of(job, now));
}

void ForgottenRequeues::keep(const OwnRestart& restart) {
    if (const auto kept = restarts_.keep(restart); !kept) {
        complaints_.complain(restart.job, kept.error().message);
    }
}

void ForgottenRequeues::forget(std::uint32_t job) {
    if (const auto done = restarts_.forget(job); !done) {
        complaints_.complain(job, done.error().message);
    }
}

}  // namespace hora::horad
