// Does a policy's answer keep to what each job takes and to the GPUs there are?
#include "libplanner/sim/answer_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "libplanner/read/quoted.hpp"

namespace hora::sim {
namespace {

bool may_have(const domain::ElasticJob& job, std::uint32_t gpus) {
    const bool may_wait = gpus == 0 && job.gpus == 0;
    const bool is_rigid_size = gpus == (job.gpus > 0 ? job.gpus : job.requested) && !job.is_elastic;
    const bool is_allowed =
        job.sizes.empty() || std::binary_search(job.sizes.begin(), job.sizes.end(), gpus);
    const bool is_elastic_size =
        job.is_elastic && gpus >= job.min && ((gpus <= job.max && is_allowed) || gpus == job.gpus);
    return may_wait || is_rigid_size || is_elastic_size;
}

}  // namespace

std::string broken_promise(const domain::ElasticState& state, std::span<const std::uint32_t> gpus,
                           const domain::JobTrace& trace) {
    if (gpus.size() != state.jobs.size()) {
        return fmt::format("answers for {} jobs of {}", gpus.size(), state.jobs.size());
    }
    std::uint64_t sum = 0;
    for (std::size_t place = 0; place < gpus.size(); ++place) {
        const domain::ElasticJob& job = state.jobs[place];
        sum += gpus[place];
        if (!may_have(job, gpus[place])) {
            return fmt::format("gives {} GPUs to job {}, which holds {} and takes {} to {}",
                               gpus[place], read::quoted(trace.jobs[job.id].name), job.gpus,
                               job.min, job.max);
        }
    }
    return sum <= state.gpus ? std::string()
                             : fmt::format("gives away {} GPUs of {}", sum, state.gpus);
}

}  // namespace hora::sim
