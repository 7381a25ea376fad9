// Which jobs have waited long enough for GPU locality, and when is that looked at?
#include "scripts/horad/pending/relaxer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "libplanner/report/duration.hpp"
#include "scripts/hora/jobs/relaxing.hpp"

namespace hora::horad {

bool is_overdue(const ObservedJob& job, std::int64_t now) {
    return job.state == slurm::JobState::pending && !job.shape.tres_per_socket.empty() &&
           job.memory && job.memory->decision.has_applied_locality() &&
           scripts::is_due(job, job.memory->decision, now);
}

void Relaxer::step(const Observation& seen, Log& log) {
    // One that slurmctld refuses to change is tried again, but not at once.
    constexpr std::chrono::seconds pause{10};
    const auto now = std::chrono::steady_clock::now();
    const bool has_due = std::any_of(seen.jobs.begin(), seen.jobs.end(),
                                     [&](const auto& job) { return is_overdue(job, seen.now); });
    if (now < next_ || !has_due) {
        return;
    }
    next_ = now + pause;
    const auto pending = slurm::load_pending_jobs();
    if (!pending) {
        log.trouble("relax", pending.error().message);
        return;
    }
    std::string complaint;
    const scripts::PlanAccess plans{
        .find = [&](const std::string& comment) -> Expected<std::optional<domain::Decision>> {
            const auto memory = plans_.memory_of(comment);
            return memory ? std::optional(memory->decision) : std::nullopt;
        },
        .keep = [&](const domain::Decision& one) { return plans_.keep(one, seen.now); }};
    for (const auto& one : scripts::relax_due(*pending, plans, seen.now, false)) {
        if (one.result == scripts::Relaxing::relaxed) {
            ++relaxed_;
            log.note(
                fmt::format("job {}: its locality constraint is dropped: it has "
                            "waited for {}",
                            one.job, report::duration(one.waited)));
        }
        complaint = one.message.empty() ? complaint : one.message;
    }
    if (complaint.empty()) {
        log.fine("relax");
    } else {
        log.trouble("relax", complaint);
    }
}

}  // namespace hora::horad
