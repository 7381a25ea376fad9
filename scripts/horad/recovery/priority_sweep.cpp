// Has a job a priority of Hora's, or its reservation, that no resize accounts for?
#include "scripts/horad/recovery/priority_sweep.hpp"

#include <fmt/format.h>

#include "plugins/slurm/jobs/restart_name.hpp"
#include "scripts/horad/journal/raised_priority.hpp"

namespace hora::horad {
namespace {

constexpr Seconds pause(60);  // after a refusal

}  // namespace

void PrioritySweep::step(const Observation& seen, const std::vector<ResizeEntry>& under_way,
                         Moment now) {
    complaints_.forget_gone(seen);
    std::erase_if(refused_, [&](const auto& one) { return now.steady - one.second >= pause; });
    for (const ObservedJob& job : seen.jobs) {
        // slurmctld changes no priority of a job that is over; it has its own again when it is
        // requeued.
        if (job.state != slurm::JobState::ended && has_ours(job) &&
            entry_of(job.id, under_way) == nullptr && !refused_.contains(job.id)) {
            give_back_to(job.id, now);
        }
    }
}

void PrioritySweep::give_back_to(std::uint32_t id, Moment now) {
    const auto job = slurm_.look_at(id);
    if (!job || !*job || !has_ours(**job) || (*job)->state == slurm::JobState::ended) {
        return;
    }
    const auto raised = find_raised((*job)->admin_comment);
    const slurm::JobChange change = give_back(**job);
    const bool is_raised = change.priority || change.forgets_priority;
    const slurm::Answered answered = slurm_.change(id, change);
    if (answered.reply == slurm::Reply::refused) {
        refused_[id] = now.steady;
        complaints_.complain(
            id, raised ? fmt::format("its own priority cannot be given back: {}", answered.why)
                       : fmt::format("it stays in reservation {}: {}", slurm::restart_reservation,
                                     answered.why));
    } else if (answered.reply == slurm::Reply::done && is_raised) {
        log_(
            fmt::format("job {}: has its own priority back; no resize accounts for the {} that "
                        "Hora gave it",
                        id, raised->raised));
    } else if (answered.reply == slurm::Reply::done && !raised) {
        log_(fmt::format("job {}: taken out of reservation {}; no resize accounts for it", id,
                         slurm::restart_reservation));
    }
}

}  // namespace hora::horad
