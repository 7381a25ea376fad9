// Which jobs have gone back to the queue at a checkpoint, and wait there only because Slurm makes a
// requeued job wait?
#include "scripts/horad/resize/restarter.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "libplanner/read/leading_number.hpp"
#include "plugins/slurm/jobs/restart_time.hpp"

namespace hora::horad {
namespace {

// slurmctld's own cycles do the rest.
constexpr Seconds often_woken(10);
// A node that does not answer keeps a job COMPLETING for long: it is looked at seldom then.
constexpr Seconds pressing(60);

bool is_released(const ObservedJob& job, const OwnRestarts& restarts) {
    const auto restart = restarts.find(job.id);
    return restart && restart->is_released && restart->restarts == job.restarts;
}

bool is_back(const ObservedJob& job, const Reports& reports, const OwnRestarts& restarts) {
    if (job.state != slurm::JobState::pending || job.restarts == 0 ||
        job.hold != slurm::Hold::none) {
        return false;
    }
    if (is_released(job, restarts)) {
        return true;
    }
    const auto reported = reports.of(job.id);
    return reported && reported->checkpoint && reported->restarts + 1 == job.restarts;
}

}  // namespace

std::int64_t wait_after_requeue(std::string_view auth_info) {
    constexpr std::string_view key = "cred_expire=";
    constexpr std::int64_t as_shipped = 120;
    std::int64_t expires = as_shipped;
    if (const std::size_t place = auth_info.find(key); place != std::string_view::npos) {
        std::string_view rest = auth_info.substr(place + key.size());
        if (!read::take_number(rest, expires) || expires <= 0) {
            expires = as_shipped;
        }
    }
    return expires + 1;
}

void Restarter::step(const Observation& seen, const Reports& reports,
                     const std::vector<ResizeEntry>& under_way, OwnRestarts& restarts,
                     SlurmEdge& slurm, std::int64_t wait, Seconds now) {
    std::erase_if(waiting_, [&](const auto& one) {
        const ObservedJob* const job = seen.find(one.first);
        return job == nullptr || job->restarts != one.second.restarts;
    });
    std::erase_if(runs_, [&](const auto& one) { return seen.find(one.first) == nullptr; });
    for (const ObservedJob& job : seen.jobs) {
        if (job.holds_nodes()) {
            runs_[job.id] = {.nodes = job.where, .began = job.started};
        }
        if (!is_back(job, reports, restarts) || entry_of(job.id, under_way) != nullptr) {
            waiting_.erase(job.id);
            continue;
        }
        Waiting& waiting =
            waiting_.try_emplace(job.id, Waiting{.restarts = job.restarts, .since = now})
                .first->second;
        waiting.is_pressing = now - waiting.since < pressing;
        waiting.is_done = waiting.is_done || advance(job.id, waiting, restarts, slurm, wait, now);
    }
}

bool Restarter::is_busy() const {
    return std::any_of(waiting_.begin(), waiting_.end(), [](const auto& one) {
        return !one.second.is_done && one.second.is_pressing;
    });
}

// Whether it is done with.
bool Restarter::advance(std::uint32_t id, Waiting& waiting, OwnRestarts& restarts, SlurmEdge& slurm,
                        std::int64_t wait, Seconds now) {
    const auto look = slurm.look_at(id);
    if (!look) {
        return false;  // slurmctld is away
    }
    if (!*look || (*look)->state != slurm::JobState::pending || (*look)->is_held() ||
        (*look)->restarts != waiting.restarts) {
        return true;
    }
    const slurm::Job& job = **look;
    if (job.target != std::to_string(id)) {
        return true;  // a task of an array, by whose number slurmctld may change all of them
    }
    waiting.latest = std::max(waiting.latest, slurm::latest_shown(job, true));
    const std::int64_t started = slurm.started();
    controller_.see(started, now);
    if (started == 0 || job.is_completing || !controller_.has_settled(started, job.updated, now)) {
        return false;
    }
    if (job.eligible <= job.updated) {
        return waiting.begins == 0 || wake(id, waiting, slurm, now);
    }
    if (job.eligible == waiting.begins) {
        return false;
    }
    // Either clock may have shown the next second meanwhile; any other time is somebody's choice.
    if (std::abs(job.eligible - job.submitted - wait) > 1) {
        return true;
    }
    slurm.yield_times(id, job.uid);
    const auto again = slurm.look_at(id);
    if (!again || !*again || (*again)->eligible != job.eligible) {
        return false;
    }
    slurm::JobChange change;
    change.begins = next_begin(**again, waiting, slurm);
    if (!change.begins) {
        return false;
    }
    waiting.begins = *change.begins;
    // Where the disk is full it is restarted all the same; ForgottenStarts says so.
    static_cast<void>(restarts.note({.job = id,
                                     .uid = job.uid,
                                     .restarts = job.restarts,
                                     .priority = slurm.computes_priorities() ? 0 : job.priority,
                                     .controller = started}));
    return slurm.change(id, change).reply == slurm::Reply::refused;
}

// If that is before Slurm lets it. Of a run that was not seen nothing is known, and any node may
// have been of it.
std::optional<std::int64_t> Restarter::next_begin(const slurm::Job& job, const Waiting& waiting,
                                                  SlurmEdge& slurm) const {
    const auto known = runs_.find(job.id);
    const Run run = known == runs_.end() ? Run() : known->second;
    const auto slurmd_started = slurm.newest_slurmd(run.nodes);
    if (!slurmd_started) {
        return std::nullopt;
    }
    const std::int64_t begins = std::max(slurm::next_begin(job.updated, waiting.latest),
                                         slurm::told_by(run.began, *slurmd_started));
    return begins < job.eligible ? std::optional(begins) : std::nullopt;
}

// Changing nothing makes slurmctld look for jobs to start.
bool Restarter::wake(std::uint32_t id, Waiting& waiting, SlurmEdge& slurm, Seconds now) const {
    constexpr Seconds pause(1);
    waiting.may_begin = waiting.may_begin.value_or(now);
    if (!waiting.woken || now - *waiting.woken >= pause) {
        waiting.woken = now;
        slurm.change(id, {});
    }
    return now - *waiting.may_begin > often_woken;
}

}  // namespace hora::horad
