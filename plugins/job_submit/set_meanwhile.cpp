// What has somebody set of a job while horad restarts it?
#include "plugins/job_submit/set_meanwhile.hpp"

namespace hora::submit {

void SetMeanwhile::note(std::uint32_t job, std::uint64_t number, SetFields fields) {
    const std::lock_guard lock(mutex_);
    Noted& noted = jobs_[job];
    if (noted.number != number) {
        noted = {.number = number, .fields = {}};
    }
    noted.fields.time_limit |= fields.time_limit;
    noted.fields.begin_time |= fields.begin_time;
    if (jobs_.size() > most) {
        jobs_.erase(jobs_.begin());
    }
}

SetFields SetMeanwhile::of(std::uint32_t job, std::uint64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto found = jobs_.find(job);
    return found != jobs_.end() && found->second.number == number ? found->second.fields
                                                                  : SetFields();
}

}  // namespace hora::submit
