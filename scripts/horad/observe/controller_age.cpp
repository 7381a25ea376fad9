// Has slurmctld run for long enough to know of its nodes' GPUs, and is it the same one as before?
#include "scripts/horad/observe/controller_age.hpp"

#include "plugins/slurm/jobs/restart_time.hpp"

namespace hora::horad {

void ControllerAge::see(std::int64_t started, Seconds now) {
    if (started == 0) {
        return;
    }
    if (is_another_start(started_, started)) {
        seen_ = now;
    }
    started_ = started;
}

bool ControllerAge::has_settled(std::int64_t started, std::int64_t clock, Seconds now) {
    constexpr Seconds settling(slurm::settling_time);
    if (started == 0) {
        return false;
    }
    see(started, now);
    if (seen_ && now - *seen_ <= settling) {
        return false;
    }
    const std::int64_t age = clock - started;
    return age < 0 || age > slurm::settling_time;
}

std::int64_t ActingSince::see(const slurm::ControllerStart& answer) {
    constexpr int believed = 2;
    if (answer.started == 0 || answer.started >= born_) {
        return answer.started;
    }
    if (answer.started != started_) {
        started_ = answer.started;
        lost_pings_ = 0;
        has_stood_by_.reset();
    }
    if (!has_stood_by_ && (!answer.has_stood_by || ++lost_pings_ == believed)) {
        has_stood_by_ = answer.has_stood_by;
    }
    if (!has_stood_by_) {
        return 0;
    }
    return *has_stood_by_ ? born_ : started_;
}

bool is_another_start(std::int64_t one, std::int64_t other) {
    return one != 0 && other != 0 && one != other;
}

}  // namespace hora::horad
