// When does a job's time limit end it, and what of that does a policy heed?
#include "libplanner/sim/time_limit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libplanner/elastic/worth/deadline.hpp"
#include "libplanner/elastic/worth/gpu_time.hpp"
#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::sim {

Seconds own_limit_left(const domain::TraceJob& described, const ActiveJob& active,
                       const domain::ElasticJob& job, domain::LimitKind kind, Seconds moment) {
    const Seconds ran = job.gpus > 0 ? moment - job.resized : Seconds(0);
    return described.limit.value_or(Seconds(INFINITY)) - active.limit_used -
           ran / stretch_on(described, job.gpus, kind);
}

double stretch_on(const domain::TraceJob& described, std::uint32_t gpus, domain::LimitKind kind) {
    return kind == domain::LimitKind::gpu_time && described.is_elastic
               ? elastic::limit_stretch(gpus, described.requested)
               : 1;
}

domain::Deadline deadline_of(const domain::TraceJob& described, const ActiveJob& active,
                             const domain::ElasticJob& job, domain::LimitKind kind, Seconds now) {
    const bool runs = job.gpus > 0;
    const Seconds moment = runs ? std::max(now, active.trains_from) : now;
    const Seconds own = own_limit_left(described, active, job, kind, moment);
    const std::uint32_t gpus = runs ? job.gpus : active.asks;
    domain::Deadline deadline{
        .left = own * stretch_on(described, gpus, kind),
        .epochs = stated_left(described, runs ? active.left_at(now) : active.left)};
    if (kind == domain::LimitKind::gpu_time) {
        deadline.gpu_time = {.left = own, .gpus = described.requested};
    }
    return deadline;
}

void heed_limits(domain::ElasticState& state, std::span<const ActiveJob> active,
                 const domain::JobTrace& trace, domain::LimitKind kind) {
    for (std::size_t place = 0; place < active.size(); ++place) {
        const domain::TraceJob& described = trace.jobs[active[place].job];
        domain::ElasticJob& job = state.jobs[place];
        if (!described.limit) {
            continue;
        }
        job.min = described.min;
        job.deadline = deadline_of(described, active[place], job, kind, state.now);
        const Seconds own =
            job.deadline->gpu_time ? job.deadline->gpu_time->left : job.deadline->left;
        const double possible = std::max(0.0, own / elastic::epoch_time(job, described.requested));
        job.epochs_left = std::min(job.deadline->epochs, possible);
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
