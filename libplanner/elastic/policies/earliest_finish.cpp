// Which job came first, and on which of all the GPUs does it finish earliest?
#include "libplanner/elastic/policies/earliest_finish.hpp"

#include <optional>

#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

struct Choice {
    std::size_t job = 0;
    std::uint32_t gpus = 0;
    Seconds remaining;
};

// The size on which it ends first, which is the largest one unless more GPUs slow it down.
std::optional<Choice> fastest(const domain::ElasticState& state, std::size_t index,
                              std::uint32_t gpus) {
    const domain::ElasticJob& job = state.jobs[index];
    std::optional<Choice> best;
    for (std::uint32_t size = lowest_size(job); size != 0 && size <= gpus;
         size = next_size(job, size)) {
        const Seconds remaining = remaining_time(job, size);
        if (!best || remaining <= best->remaining) {
            best = Choice{index, size, remaining};
        }
    }
    return best;
}

}  // namespace

Allocation EarliestFinish::decide(const domain::ElasticState& state) const {
    Allocation result;
    result.gpus.reserve(state.jobs.size());
    std::uint64_t taken = 0;
    bool is_running = false;
    for (const domain::ElasticJob& job : state.jobs) {
        result.gpus.push_back(floor_size(job));
        taken += result.gpus.back();
        is_running = is_running || job.gpus > 0;
    }
    const std::uint64_t idle = state.gpus > taken ? state.gpus - taken : 0;
    std::optional<Choice> chosen;
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        const domain::ElasticJob& job = state.jobs[i];
        if (is_running != (job.gpus > 0) || (is_running && !job.is_elastic)) {
            continue;
        }
        const auto gpus = static_cast<std::uint32_t>(idle + result.gpus[i]);
        chosen = fastest(state, i, gpus);
        if (chosen) {
            break;
        }
    }
    if (chosen) {
        result.gpus[chosen->job] = chosen->gpus;
        result.objective = chosen->remaining.count();
    }
    return result;
}

}  // namespace hora::elastic
