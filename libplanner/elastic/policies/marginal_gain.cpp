// Which job's remaining time falls most by one more GPU?
#include "libplanner/elastic/policies/marginal_gain.hpp"

#include <algorithm>
#include <limits>

#include "libplanner/elastic/policies/greedy.hpp"
#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

double saved_per_gpu(const domain::ElasticJob& job, std::uint32_t from, std::uint32_t to) {
    if (from == 0) {
        return std::numeric_limits<double>::infinity();
    }
    return (remaining_time(job, from) - remaining_time(job, to)).count() / (to - from);
}

}  // namespace

Allocation MarginalGain::decide(const domain::ElasticState& state) const {
    Allocation result = allocate_greedily(state, saved_per_gpu);
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        const domain::ElasticJob& job = state.jobs[i];
        if (job.is_elastic && result.gpus[i] > 0) {
            const std::uint32_t lowest = std::min(lowest_size(job), result.gpus[i]);
            result.objective +=
                (remaining_time(job, lowest) - remaining_time(job, result.gpus[i])).count();
        }
    }
    return result;
}

}  // namespace hora::elastic
