// The edge of acting that is the real Slurm.
#include "scripts/horad/act_slurm.hpp"

#include <algorithm>
#include <string>

#include "plugins/slurm/checkpoint_signal.hpp"
#include "plugins/slurm/controller_start.hpp"

namespace hora::horad {

Expected<std::optional<slurm::JobView>> LiveSlurm::look_at(std::uint32_t job) {
    return slurm::look_at(job);
}

slurm::Answered LiveSlurm::change(std::uint32_t job, const slurm::JobChange& change) {
    return slurm::change_job(std::to_string(job), change);
}

slurm::Answered LiveSlurm::hold(std::uint32_t job, bool by_user) {
    return slurm::hold_job(job, by_user);
}

slurm::Answered LiveSlurm::ask_for_checkpoint(std::uint32_t job, domain::CheckpointSignal signal) {
    return slurm::signal_steps(job, slurm::request_signal(signal));
}

// Slurm tells of no take-over; horad begins to act right after it.
std::int64_t LiveSlurm::started() {
    const slurm::ControllerStart start = slurm::controller_start();
    return start.has_stood_by ? std::max(start.started, born_) : start.started;
}

bool LiveSlurm::computes_priorities() {
    if (!computes_priorities_) {
        if (const auto answer = slurm::computes_priorities(); answer) {
            computes_priorities_ = *answer;
        }
    }
    return computes_priorities_.value_or(true);
}

}  // namespace hora::horad
