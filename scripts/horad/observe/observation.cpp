// What does the daemon see of the cluster at one moment?
#include "scripts/horad/observe/observation.hpp"

#include <algorithm>

namespace hora::horad {

bool waits_for_gpus(const ObservedJob& job, std::int64_t now) {
    return job.state == slurm::JobState::pending && !job.is_completing && job.gpus > 0 &&
           job.hold == slurm::Hold::none && job.waits_for == slurm::WaitsFor::resources &&
           job.eligible != 0 && job.eligible <= now;
}

const ObservedJob* Observation::find(std::uint32_t id) const {
    const auto found = std::lower_bound(
        jobs.begin(), jobs.end(), id,
        [](const ObservedJob& job, std::uint32_t wanted) { return job.id < wanted; });
    return found != jobs.end() && found->id == id ? &*found : nullptr;
}

void keep_waiting_for_gpus(const Observation& before, std::vector<ObservedJob>& jobs) {
    for (ObservedJob& job : jobs) {
        if (job.waits_for != slurm::WaitsFor::nodes) {
            continue;
        }
        const ObservedJob* const known = before.find(job.id);
        if (known != nullptr && known->waits_for == slurm::WaitsFor::resources) {
            job.waits_for = slurm::WaitsFor::resources;
        }
    }
}

}  // namespace hora::horad
