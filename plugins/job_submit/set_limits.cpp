// Of which jobs has somebody set the time limit while horad restarts them?
#include "plugins/job_submit/set_limits.hpp"

namespace hora::submit {

void SetLimits::note(std::uint32_t job, std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    numbers_[job] = number;
    if (numbers_.size() > most) {
        numbers_.erase(numbers_.begin());
    }
}

bool SetLimits::has(std::uint32_t job, std::uint64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto found = numbers_.find(job);
    return found != numbers_.end() && found->second == number;
}

}  // namespace hora::submit
