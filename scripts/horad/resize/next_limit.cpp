// How much of its time limit does a job get that is restarted at another size?
#include "scripts/horad/resize/next_limit.hpp"

#include "plugins/slurm/jobs/rest_of_limit.hpp"

namespace hora::horad {
namespace {

// Not where somebody else has started it meanwhile, or the clock was set.
bool is_known(const ResizeEntry& entry, const slurm::Job& job) {
    return entry.began > 0 && entry.began >= entry.submitted &&
           job.restarts == entry.resize.restarts + 1;
}

}  // namespace

// By Slurm's clock alone.
Seconds next_limit(const ResizeEntry& entry, const slurm::Job& job) {
    if (!entry.resize.lowers_limit || entry.limit <= Seconds(0) || !is_known(entry, job)) {
        return {};
    }
    // Slurm notes the requeue as the submission, but only when the last run is cleaned up.
    const std::int64_t ended = job.submitted != entry.submitted ? job.submitted : job.updated;
    const Seconds ran(static_cast<double>(ended - entry.began));
    return slurm::rest_of_limit(entry.limit, ran).value_or(Seconds(0));
}

bool is_limit_due(const ResizeEntry& entry, const slurm::Job& job) {
    return entry.next_limit > Seconds(0) && job.time_limit == entry.limit &&
           job.restarts == entry.resize.restarts + 1;
}

}  // namespace hora::horad
