// Which job is first in the queue, and do its GPUs fit beside what is allocated?
#include "libplanner/elastic/policies/fcfs.hpp"

namespace hora::elastic {

Allocation FirstComeFirstServed::decide(const domain::ElasticState& state) const {
    Allocation result;
    result.gpus.reserve(state.jobs.size());
    const std::uint32_t held = state.held();
    std::uint32_t idle = state.gpus > held ? state.gpus - held : 0;
    bool is_blocked = state.waiting > 0;
    for (const domain::ElasticJob& job : state.jobs) {
        std::uint32_t gpus = job.gpus;
        if (gpus == 0 && !is_blocked) {
            is_blocked = job.requested > idle;
            gpus = is_blocked ? 0 : job.requested;
            idle -= gpus;
            result.objective += gpus > 0 ? 1 : 0;
        }
        result.gpus.push_back(gpus);
    }
    return result;
}

}  // namespace hora::elastic
