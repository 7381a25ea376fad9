// Has slurmctld run for long enough to know of its nodes' GPUs?
#include "scripts/horad/observe/controller_age.hpp"

#include "plugins/slurm/jobs/restart_time.hpp"

namespace hora::horad {

void ControllerAge::see(std::int64_t started, Seconds now) {
    if (started == 0) {
        return;
    }
    if (started_ != 0 && started != started_) {
        seen_ = now;
    }
    started_ = started;
}

bool ControllerAge::has_settled(std::int64_t started, std::int64_t clock, Seconds now) {
    constexpr Seconds settling(slurm::settling_time);
    see(started, now);
    if (seen_ && now - *seen_ <= settling) {
        return false;
    }
    const std::int64_t age = clock - started;
    return age < 0 || age > slurm::settling_time;
}

}  // namespace hora::horad
