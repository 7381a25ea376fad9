// What does the daemon see of the cluster at one moment?
#include "scripts/horad/observation.hpp"

#include <algorithm>

namespace hora::horad {

const ObservedJob* Observation::find(std::uint32_t id) const {
    const auto found = std::lower_bound(
        jobs.begin(), jobs.end(), id,
        [](const ObservedJob& job, std::uint32_t wanted) { return job.id < wanted; });
    return found != jobs.end() && found->id == id ? &*found : nullptr;
}

}  // namespace hora::horad
