// The edge of acting that is the real Slurm.
#include "scripts/horad/resize/act_slurm.hpp"

#include <chrono>
#include <string>

#include "libplanner/request/checkpoint_signal.hpp"
#include "plugins/slurm/controller_start.hpp"
#include "plugins/slurm/jobs/job_list.hpp"
#include "plugins/slurm/newest_slurmd.hpp"
#include "plugins/slurm/store/lock_key.hpp"
#include "plugins/slurm/store/random_key.hpp"
#include "scripts/horad/journal/raised_priority.hpp"

namespace hora::horad {
namespace {

Seconds steady_time() {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return Seconds(now.count());
}

}  // namespace

LiveSlurm::LiveSlurm(const std::string& state)
    : locks_(state.empty()
                 ? std::nullopt
                 : std::optional<slurm::RestartLocks>(slurm::restart_locks_folder(state))),
      key_(slurm::random_key(slurm::lock_key_length).value_or(std::string())) {}

Expected<std::optional<slurm::Job>> LiveSlurm::look_at(std::uint32_t job) {
    return slurm::look_at(job);
}

// Where the folder cannot be written to, its owner can change the job, and horad notices that.
void LiveSlurm::take(std::uint32_t job, std::uint32_t uid, bool is_to_be_kept) {
    if (!locks_ || key_.empty()) {
        return;
    }
    const auto known = held_.find(job);
    Held held =
        known == held_.end() ? Held{.written = {}, .number = next_number_++} : known->second;
    // An operator may do with every job what root may.
    held.is_kept = held.is_kept || (is_to_be_kept && !slurm::is_operator(uid).value_or(false));
    held.written = steady_time();
    if (locks_->take(job,
                     {.uid = uid, .key = key_, .number = held.number, .is_kept = held.is_kept})) {
        held_[job] = held;
    }
}

void LiveSlurm::yield_times(std::uint32_t job, std::uint32_t owner) {
    take(job, owner, false);
}

void LiveSlurm::let_go(std::uint32_t job) {
    held_.erase(job);
    if (locks_) {
        locks_->let_go(job);
    }
}

void LiveSlurm::renew_locks(const Observation& seen, const std::vector<ResizeEntry>& under_way) {
    constexpr Seconds pause(60);
    const Seconds now = steady_time();
    std::map<std::uint32_t, std::uint32_t> owners;
    for (const ObservedJob& job : seen.jobs) {
        if (has_ours(job)) {
            owners[job.id] = job.uid;
        }
    }
    for (const ResizeEntry& entry : under_way) {
        if (entry.raised != 0 || (entry.reserves_nodes && is_requeued(entry))) {
            owners[entry.resize.job] = entry.uid;
        }
    }
    for (const std::uint32_t job : locks_ ? locks_->jobs() : std::vector<std::uint32_t>()) {
        if (!owners.contains(job)) {
            let_go(job);
        }
    }
    for (const auto& [job, uid] : owners) {
        const auto held = held_.find(job);
        if (held == held_.end() || now - held->second.written > pause) {
            take(job, uid, true);
        }
    }
}

// The job is kept before it has the priority, and until it has its own again.
slurm::Answered LiveSlurm::change(std::uint32_t job, const slurm::JobChange& change) {
    slurm::JobChange sent = change;
    if (change.kept_from) {
        take(job, *change.kept_from, true);
    }
    sent.key = held_.contains(job) ? key_ : std::string();
    auto answered = slurm::change_job(std::to_string(job), sent);
    const bool is_given_back = (change.admin_comment && !find_raised(*change.admin_comment)) ||
                               (change.reservation && change.reservation->empty());
    if (answered.reply == slurm::Reply::done && is_given_back && !change.kept_from) {
        let_go(job);
    }
    return answered;
}

slurm::Answered LiveSlurm::hold(std::uint32_t job, bool by_user) {
    return slurm::hold_job(job, by_user);
}

slurm::Answered LiveSlurm::ask_for_checkpoint(std::uint32_t job, domain::CheckpointSignal signal) {
    return slurm::signal_steps(job, request::request_signal(signal));
}

slurm::Answered LiveSlurm::requeue(const slurm::Job& job) {
    return job.state == slurm::JobState::ended ? slurm::requeue_failed(job.target)
                                               : slurm::requeue_running(job.target);
}

std::int64_t LiveSlurm::started() {
    return acting_.see(slurm::controller_start());
}

Expected<std::int64_t> LiveSlurm::newest_slurmd(const std::string& nodes) {
    const auto newest = slurm::newest_slurmd(nodes);
    if (!newest) {
        return unexpected(newest.error());
    }
    return *newest ? Expected<std::int64_t>(**newest) : failure("horad may not look at nodes");
}

Expected<std::uint32_t> LiveSlurm::highest_beside(const slurm::Job& job) {
    const auto list = slurm::load_jobs(0);
    if (!list) {
        return unexpected(list.error());
    }
    return *list ? highest_waiting((*list)->jobs, job) : 0;
}

slurm::Answered LiveSlurm::reserve(const slurm::ReservedNodes& reserved) {
    return slurm::reserve_for_restarts(reserved);
}

slurm::Answered LiveSlurm::end_reservation() {
    return slurm::end_restart_reservation();
}

bool LiveSlurm::computes_priorities() {
    if (!computes_priorities_) {
        if (const auto answer = slurm::computes_priorities(); answer) {
            computes_priorities_ = *answer;
        }
    }
    return computes_priorities_.value_or(true);
}

bool LiveSlurm::users_swap_priorities() {
    return slurm::users_swap_priorities().value_or(true);
}

}  // namespace hora::horad
