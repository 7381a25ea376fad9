// What of a job that has come and not ended is seen by the simulation alone, and what by a policy?
#include "libplanner/sim/active_job.hpp"

#include <algorithm>
#include <utility>

#include "libplanner/elastic/worth/work_left.hpp"

namespace hora::sim {

double ActiveJob::left_at(Seconds now) const {
    const double trained = std::max(0.0, (now - trains_from).count());
    return std::max(0.0, left - trained / epoch.count());
}

double stated_left(const domain::TraceJob& job, double left) {
    return job.stated_epochs ? elastic::work_left(*job.stated_epochs, job.epochs - left) : left;
}

domain::ElasticJob as_submitted(std::uint32_t id, const domain::TraceJob& job,
                                std::uint32_t cluster_gpus) {
    domain::ElasticJob elastic;
    elastic.id = id;
    elastic.is_elastic = job.is_elastic;
    elastic.min = job.min;
    elastic.max = std::min(job.max, cluster_gpus);
    elastic.sizes = job.sizes;
    elastic.requested = job.requested;
    elastic.epochs_left = job.stated();
    elastic.submitted = job.submitted;
    return elastic;
}

std::size_t place_of(std::uint32_t job, std::span<const ActiveJob> active) {
    const auto found =
        std::lower_bound(active.begin(), active.end(), job,
                         [](const ActiveJob& one, std::uint32_t id) { return one.job < id; });
    return static_cast<std::size_t>(found - active.begin());
}

void remove_ended(std::vector<ActiveJob>& active, std::vector<domain::ElasticJob>& seen) {
    std::size_t kept = 0;
    for (std::size_t place = 0; place < active.size(); ++place) {
        if (!active[place].has_ended) {
            if (kept != place) {
                active[kept] = std::move(active[place]);
                seen[kept] = seen[place];
            }
            ++kept;
        }
    }
    active.resize(kept);
    seen.resize(kept);
}

}  // namespace hora::sim
