// When does a job's time limit end it, and what of that does a policy heed?
#include "libplanner/sim/time_limit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libplanner/elastic/worth/deadline.hpp"
#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::sim {

Seconds limit_end(const domain::TraceJob& job, Seconds started) {
    return job.limit ? started + *job.limit : Seconds(INFINITY);
}

void heed_limits(domain::ElasticState& state, std::span<const ActiveJob> active,
                 const domain::JobTrace& trace) {
    for (std::size_t place = 0; place < active.size(); ++place) {
        const domain::TraceJob& described = trace.jobs[active[place].job];
        domain::ElasticJob& job = state.jobs[place];
        if (!described.limit) {
            continue;
        }
        const bool runs = job.gpus > 0;
        const double epochs =
            stated_left(described, runs ? active[place].left_at(state.now) : active[place].left);
        // What is left of a restart is no time to train in.
        const Seconds left = runs ? limit_end(described, *job.started) -
                                        std::max(state.now, active[place].trains_from)
                                  : *described.limit;
        job.min = described.min;
        job.deadline = {.left = left, .epochs = epochs};
        const double possible = std::max(0.0, left / elastic::epoch_time(job, described.requested));
        job.epochs_left = std::min(epochs, possible);
    }
    elastic::heed_deadlines(state);
}

std::vector<std::uint32_t> without_danger(const domain::ElasticState& state,
                                          std::vector<std::uint32_t> gpus) {
    for (std::size_t place = 0; place < gpus.size(); ++place) {
        const domain::ElasticJob& job = state.jobs[place];
        if (gpus[place] > job.gpus && elastic::endangers(job, gpus[place], state.rescale_of(job))) {
            gpus[place] = job.gpus;
        }
    }
    return gpus;
}

}  // namespace hora::sim
