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
    constexpr std::chrono::seconds pause{10};
    constexpr std::chrono::seconds least_pause{2};
    constexpr int share_of_time = 10;
    const Clock::time_point begin = steady_();
    std::erase_if(rests_, [&](const auto& one) { return one.second <= begin; });
    const bool has_due = std::any_of(seen.jobs.begin(), seen.jobs.end(), [&](const auto& job) {
        return is_overdue(job, seen.now) && !rests_.contains(job.id);
    });
    if (begin < next_ || !has_due) {
        return;
    }
    next_ = begin + pause;
    const auto pending = slurm::load_pending_jobs();
    if (!pending) {
        log.trouble("relax", pending.error().message);
        return;
    }
    if (relax_each(*pending, seen.now, begin, log)) {
        next_ = begin + std::max<Clock::duration>(least_pause, (steady_() - begin) * share_of_time);
    }
}

bool Relaxer::relax_each(const std::vector<slurm::Job>& pending, std::int64_t now,
                         Clock::time_point begin, Log& log) {
    // For which the daemon's other work may wait, and a job more.
    constexpr std::chrono::milliseconds most_at_once{100};
    constexpr std::chrono::minutes a_while{1};
    const scripts::PlanAccess plans{
        .find = [&](const std::string& comment) -> Expected<std::optional<domain::Decision>> {
            const auto memory = plans_.memory_of(comment);
            return memory ? std::optional(memory->decision) : std::nullopt;
        },
        .keep = [&](const domain::Decision& one) { return plans_.keep(one, now); }};
    std::string complaint;
    bool is_cut = false;
    for (const slurm::Job& job : pending) {
        if (rests_.contains(job.id)) {
            continue;
        }
        const auto decision = scripts::due_decision(job, plans, now);
        if (!decision) {
            continue;
        }
        is_cut = steady_() - begin >= most_at_once;
        if (is_cut) {
            break;
        }
        const scripts::RelaxedJob one = scripts::relax(job, *decision, plans, now, false);
        if (one.result == scripts::Relaxing::relaxed) {
            ++relaxed_;
            log.note(
                fmt::format("job {}: its locality constraint is dropped: it has "
                            "waited for {}",
                            one.job, report::duration(one.waited)));
        } else if (one.result == scripts::Relaxing::refused) {
            rests_[job.id] = steady_() + a_while;
        }
        complaint = one.message.empty() ? complaint : one.message;
    }
    if (!complaint.empty()) {
        log.trouble("relax", complaint);
    } else if (rests_.empty() && !is_cut) {
        log.fine("relax");
    }
    return is_cut;
}

}  // namespace hora::horad
