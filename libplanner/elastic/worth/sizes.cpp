// Which numbers of GPUs may a job hold, and how long does it take on them?
#include "libplanner/elastic/worth/sizes.hpp"

#include <algorithm>

namespace hora::elastic {
namespace {

using domain::ElasticJob;

// Allowed sizes outside of min and max are as good as absent.
std::uint32_t lowest_listed(const ElasticJob& job, std::uint32_t least) {
    const auto found = std::lower_bound(job.sizes.begin(), job.sizes.end(), least);
    return found == job.sizes.end() || *found > job.max ? 0 : *found;
}

}  // namespace

std::uint32_t lowest_size(const ElasticJob& job) {
    return job.is_elastic ? next_size(job, 0) : job.requested;
}

std::uint32_t next_size(const ElasticJob& job, std::uint32_t gpus) {
    if (!job.is_elastic) {
        return gpus < job.requested ? job.requested : 0;
    }
    const std::uint32_t least = std::max(gpus + 1, job.min);
    if (job.sizes.empty()) {
        return least > job.max ? 0 : least;
    }
    return lowest_listed(job, least);
}

std::uint32_t largest_size(const ElasticJob& job, std::uint32_t gpus) {
    if (!job.is_elastic) {
        return gpus >= job.requested ? job.requested : 0;
    }
    const std::uint32_t most = std::min(gpus, job.max);
    std::uint32_t size = most;
    if (!job.sizes.empty()) {
        const auto above = std::upper_bound(job.sizes.begin(), job.sizes.end(), most);
        size = above == job.sizes.begin() ? 0 : *(above - 1);
    }
    return size < job.min ? 0 : size;
}

std::uint32_t floor_size(const ElasticJob& job) {
    const std::uint32_t lowest = lowest_size(job);
    // What it holds may be above all that is listed.
    return job.is_elastic && lowest > 0 ? std::min(job.gpus, lowest) : job.gpus;
}

Seconds epoch_time(const ElasticJob& job, std::uint32_t gpus) {
    if (job.epoch_seconds.empty()) {
        return Seconds(0);
    }
    // Whatever a caller asks for, nothing beside the curve is read.
    return job.epoch_seconds[std::clamp<std::size_t>(gpus, 1, job.epoch_seconds.size()) - 1];
}

double uncertainty_of(const ElasticJob& job, std::uint32_t gpus) {
    return job.uncertainty.empty()
               ? 0
               : job.uncertainty[std::clamp<std::size_t>(gpus, 1, job.uncertainty.size()) - 1];
}

Seconds remaining_time(const ElasticJob& job, std::uint32_t gpus) {
    return job.epochs_left * epoch_time(job, gpus);
}

}  // namespace hora::elastic
