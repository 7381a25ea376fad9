// Has slurmctld, killed hard, forgotten that a job runs that horad restarted, and what becomes of
// the job?
#include "scripts/horad/recovery/forgotten_starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plugins/slurm/jobs/restart_time.hpp"
#include "scripts/horad/journal/raised_priority.hpp"

namespace hora::horad {
namespace {

bool is_under_way(std::uint32_t job, const std::vector<ResizeEntry>& under_way) {
    return std::any_of(under_way.begin(), under_way.end(),
                       [&](const ResizeEntry& entry) { return entry.resize.job == job; });
}

// slurmctld counts the start that it forgot, or does not; the requeue of the refused start it
// counts.
bool is_of(const OwnRestart& restart, const slurm::JobView& job) {
    return job.uid == restart.uid && job.stage == slurm::JobStage::pending &&
           (job.restarts == restart.restarts || job.restarts == restart.restarts + 1);
}

Resized row_of(const slurm::JobView& job, Moment now) {
    Resized row;
    Resize& resize = row.entry.resize;
    resize.job = job.id;
    resize.restarts = job.restarts > 0 ? job.restarts - 1 : 0;
    resize.from = resize.to = job.asked_gpus;
    resize.why = "held by slurmctld";
    row.entry.uid = job.uid;
    row.entry.submitted = job.submitted;
    row.entry.asked = now.wall;
    row.ending = Ending::released;
    row.remark =
        "slurmctld was killed, forgot that the job ran, started it on the same node and held it "
        "(launch failed requeued held)";
    return row;
}

}  // namespace

ForgottenStarts::ForgottenStarts(SlurmEdge& slurm, OwnRestarts& restarts, Chronicle& chronicle,
                                 Log log)
    : slurm_(slurm), restarts_(restarts), chronicle_(chronicle), log_(std::move(log)) {}

void ForgottenStarts::step(const Observation& seen, const std::vector<ResizeEntry>& under_way,
                           Moment now) {
    if (const auto kept = restarts_.see(seen); !kept) {
        complain(0, kept.error().message);
    }
    std::erase_if(complaints_, [&](const auto& one) {
        return one.first != 0 && seen.find(one.first) == nullptr;
    });
    for (const ResizeEntry& entry : under_way) {
        note(entry);
    }
    for (const ObservedJob& job : seen.jobs) {
        if (job.state == slurm::JobState::pending && !job.is_completing && restarts_.find(job.id) &&
            !is_under_way(job.id, under_way)) {
            look_after(job, now);
        }
    }
}

// It is requeued, and has not begun again yet. slurmctld may have been killed since it was asked.
void ForgottenStarts::note(const ResizeEntry& entry) {
    if (entry.was_pending || entry.state < ResizeState::sizing) {
        return;
    }
    const auto kept =
        restarts_.note({.job = entry.resize.job,
                        .uid = entry.uid,
                        .restarts = entry.restarts,
                        .priority = slurm_.computes_priorities() ? 0 : entry.priority,
                        .controller = entry.controller != 0 ? entry.controller : slurm_.started()});
    if (!kept) {
        complain(entry.resize.job, kept.error().message);
    }
}

void ForgottenStarts::look_after(const ObservedJob& listed, Moment now) {
    const OwnRestart restart = *restarts_.find(listed.id);
    const bool is_forgotten = restart.controller != slurm_.started();
    const bool is_held = listed.hold == slurm::Hold::launch;
    const bool is_to_rest = restart.has_run && listed.restarts == restart.restarts;
    if (is_held ? !is_forgotten : !restart.lacks_priority && !(is_to_rest && is_forgotten)) {
        return;
    }
    const auto job = slurm_.look_at(listed.id);
    if (!job || !*job || !is_of(restart, **job) || (*job)->is_completing) {
        return;
    }
    if ((*job)->is_held_by_launch && is_forgotten) {
        release(**job, restart, now);
    } else if (!(*job)->is_held && restart.lacks_priority) {
        give_priority(**job, restart);
    } else if (!(*job)->is_held && is_to_rest && (*job)->restarts == restart.restarts) {
        let_rest(**job, restart);
    }
}

// Written down before, for its own priority is given back in a second call.
void ForgottenStarts::release(const slurm::JobView& job, OwnRestart restart, Moment now) {
    restart.restarts = job.restarts;
    restart.has_run = false;
    restart.is_released = true;
    restart.lacks_priority = restart.priority != 0;
    keep(restart);
    if (!is_done(job.id, slurm_.change(job.id, release_of(job)), "the hold is not taken off")) {
        return;
    }
    restart.controller = slurm_.started();
    keep(restart);
    chronicle_.record(row_of(job, now));
    give_priority(job, restart);
}

// slurmctld has given it one of the last, or computes it.
void ForgottenStarts::give_priority(const slurm::JobView& job, OwnRestart restart) {
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
void ForgottenStarts::let_rest(const slurm::JobView& job, OwnRestart restart) {
    const std::int64_t begins = job.updated + slurm::settling_time;
    if (job.begins < begins) {
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
        complain(restart.job, kept.error().message);
    }
}

bool ForgottenStarts::is_done(std::uint32_t job, const slurm::Answered& answered,
                              const std::string& what) {
    if (answered.reply == slurm::Reply::refused) {
        complain(job, fmt::format("{}: {}", what, answered.why));
    }
    return answered.reply == slurm::Reply::done;
}

// Each thing once.
void ForgottenStarts::complain(std::uint32_t job, const std::string& what) {
    if (std::exchange(complaints_[job], what) != what) {
        log_(job == 0 ? what : fmt::format("job {}: {}", job, what));
    }
}

}  // namespace hora::horad
