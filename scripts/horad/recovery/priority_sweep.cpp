// Has a job a priority of Hora's that no resize accounts for?
#include "scripts/horad/recovery/priority_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scripts/horad/journal/raised_priority.hpp"

namespace hora::horad {
namespace {

bool is_accounted_for(std::uint32_t job, const std::vector<ResizeEntry>& under_way) {
    return std::any_of(under_way.begin(), under_way.end(),
                       [&](const ResizeEntry& entry) { return entry.resize.job == job; });
}

}  // namespace

void PrioritySweep::step(const Observation& seen, const std::vector<ResizeEntry>& under_way) {
    std::erase_if(complaints_, [&](const auto& one) { return seen.find(one.first) == nullptr; });
    for (const ObservedJob& job : seen.jobs) {
        // slurmctld changes no priority of a job that is over; it has its own again when it is
        // requeued.
        if (job.state != slurm::JobState::ended && find_raised(job.admin_comment) &&
            !is_accounted_for(job.id, under_way)) {
            give_back_to(job.id);
        }
    }
}

void PrioritySweep::give_back_to(std::uint32_t id) {
    const auto job = slurm_.look_at(id);
    const auto raised = job && *job ? find_raised((*job)->admin_comment) : std::nullopt;
    if (!raised || (*job)->stage == slurm::JobStage::ended) {
        return;
    }
    const slurm::JobChange change = give_back(**job, *raised);
    const bool is_raised = change.priority || change.forgets_priority;
    const slurm::Answered answered = slurm_.change(id, change);
    if (answered.reply == slurm::Reply::refused) {
        complain(id, fmt::format("its own priority cannot be given back: {}", answered.why));
    } else if (answered.reply == slurm::Reply::done && is_raised) {
        log_(
            fmt::format("job {}: has its own priority back; no resize accounts for the {} that "
                        "Hora gave it",
                        id, raised->raised));
    }
}

// Each thing once.
void PrioritySweep::complain(std::uint32_t job, const std::string& what) {
    if (std::exchange(complaints_[job], what) != what) {
        log_(fmt::format("job {}: {}", job, what));
    }
}

}  // namespace hora::horad
