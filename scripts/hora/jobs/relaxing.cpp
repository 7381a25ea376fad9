// Of which pending jobs is the locality constraint dropped, and what came of it?
#include "scripts/hora/jobs/relaxing.hpp"

#include <algorithm>
#include <utility>

#include "libplanner/report/jobs/decision_token.hpp"

namespace hora::scripts {

std::string_view name_of(Relaxing result) {
    constexpr std::string_view names[] = {"relaxed", "due", "unconstrained", "started", "refused"};
    return names[static_cast<std::size_t>(result)];
}

Expected<std::optional<domain::Decision>> constraint_of(const slurm::Job& job,
                                                        const PlanAccess& plans) {
    if (job.shape.tres_per_socket.empty()) {
        return std::nullopt;
    }
    auto decision = plans.find(job.admin_comment);
    const bool is_other = decision && *decision && !(*decision)->has_applied_locality();
    return is_other ? Expected<std::optional<domain::Decision>>(std::nullopt) : decision;
}

Seconds waited(const slurm::Job& job, std::int64_t now) {
    return Seconds(job.runnable_since() == 0 ? 0.0
                                             : static_cast<double>(now - job.runnable_since()));
}

Seconds waited(const slurm::Job& job, const domain::Decision& decision, std::int64_t now) {
    const Seconds in_all = waited(job, now);
    // A clock that was set back says nothing of the time since.
    const std::int64_t planned = decision.replanned.when;
    return planned > now ? in_all : std::min(in_all, Seconds(static_cast<double>(now - planned)));
}

bool is_due(const slurm::Job& job, const domain::Decision& decision, std::int64_t now) {
    return job.runnable_since() != 0 && job.runnable_since() <= now &&
           !(waited(job, decision, now) < decision.placement.wait);
}

RelaxedJob relax(const slurm::Job& job, domain::Decision decision, const PlanAccess& plans,
                 std::int64_t now, bool is_dry) {
    RelaxedJob relaxed{.job = job.target,
                       .result = Relaxing::due,
                       .waited = waited(job, decision, now),
                       .message = {}};
    if (is_dry) {
        return relaxed;
    }
    const auto freed = slurm::free_of_sockets(job);
    if (!freed) {
        relaxed.result = Relaxing::refused;
        relaxed.message = freed.error().message;
        return relaxed;
    }
    relaxed.result = *freed == slurm::Freed::done ? Relaxing::relaxed : Relaxing::started;
    if (relaxed.result == Relaxing::relaxed) {
        decision.placement.relaxed = now;
        const std::string comment = report::with_token(job.admin_comment, plans.keep(decision));
        // An owner may not; `hora explain` sees by the request that the owner has.
        if (const auto kept = slurm::set_admin_comment(job.target, comment); !kept) {
            relaxed.message = kept.error().message;
        }
    }
    return relaxed;
}

std::optional<domain::Decision> due_decision(const slurm::Job& job, const PlanAccess& plans,
                                             std::int64_t now) {
    auto decision = constraint_of(job, plans);
    const bool has_due = decision && *decision && is_due(job, **decision, now);
    return has_due ? *std::move(decision) : std::nullopt;
}

std::vector<RelaxedJob> relax_due(const std::vector<slurm::Job>& pending, const PlanAccess& plans,
                                  std::int64_t now, bool is_dry) {
    std::vector<RelaxedJob> relaxed;
    for (const slurm::Job& job : pending) {
        if (auto decision = due_decision(job, plans, now)) {
            relaxed.push_back(relax(job, *std::move(decision), plans, now, is_dry));
        }
    }
    return relaxed;
}

}  // namespace hora::scripts
