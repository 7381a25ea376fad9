// On how many GPUs does a job end before its time limit ends it?
#include "libplanner/elastic/worth/deadline.hpp"

#include <algorithm>

#include "libplanner/elastic/worth/gpu_time.hpp"
#include "libplanner/elastic/worth/sizes.hpp"
#include "libplanner/elastic/worth/worth.hpp"

namespace hora::elastic {
namespace {

using domain::Deadline;
using domain::ElasticJob;

// A loaded file system, a slower node, a checkpoint that takes its time.
constexpr double least_margin = 0.1;
// Once in forty it takes longer, as far as errors are normal.
constexpr double caution = 2;

// A part of what is left of a limit that no job is lost for.
constexpr double negligible = 0.01;
// Sums of times round.
constexpr Seconds rounding(1e-6);

enum class Arrival { as_it_is, by_restart };

Seconds rest_on(const ElasticJob& job, std::uint32_t gpus) {
    return job.deadline->epochs * epoch_time(job, gpus);
}

bool is_enough(const ElasticJob& job, std::uint32_t gpus, Seconds restart, Seconds left) {
    return restart +
               rest_on(job, gpus) * (1 + least_margin + caution * uncertainty_of(job, gpus)) <=
           left;
}

// In GPU-time, and not cut short by the longest limit that it can be given?
bool has_its_limit(const ElasticJob& job, std::uint32_t gpus) {
    const auto& own = job.deadline->gpu_time;
    return own && own->left * limit_stretch(gpus, own->gpus) <= own->longest;
}

bool is_as_fast_as(const ElasticJob& job, std::uint32_t fewer, std::uint32_t gpus) {
    return epoch_time(job, gpus) * (1 + uncertainty_of(job, gpus)) <= epoch_time(job, fewer);
}

// In GPU-time a job gets as far on the GPUs that its limit was stated for, on fewer, and on more
// that are not slower, as it would on those by its limit, but for what a restart takes: whatever is
// known of what is left of it.
bool gets_as_far(const ElasticJob& job, std::uint32_t gpus, Seconds rescale) {
    if (!has_its_limit(job, gpus)) {
        return false;
    }
    const domain::GpuTime& own = *job.deadline->gpu_time;
    if (gpus > own.gpus && !is_as_fast_as(job, own.gpus, gpus)) {
        return false;
    }
    const Seconds restart = job.gpus > 0 ? rescale / limit_stretch(gpus, own.gpus) : Seconds(0);
    return restart <= own.left * negligible || is_enough(job, own.gpus, restart, own.left);
}

bool ends_in_time(const ElasticJob& job, std::uint32_t gpus, Seconds rescale, Arrival arrival) {
    if (arrival == Arrival::as_it_is) {
        return rest_on(job, gpus) * (1 + uncertainty_of(job, gpus)) <=
               job.deadline->left + rounding;
    }
    return is_enough(job, gpus, rescale, limit_on(*job.deadline, gpus)) ||
           gets_as_far(job, gpus, rescale);
}

bool ends_in_time(const ElasticJob& job, std::uint32_t gpus, Seconds rescale) {
    return ends_in_time(job, gpus, rescale,
                        gpus == job.gpus ? Arrival::as_it_is : Arrival::by_restart);
}

// The largest allowed one that its request could have.
std::uint32_t own_size(const ElasticJob& job) {
    const std::uint32_t size = largest_size(job, job.requested);
    return size > 0 ? size : std::max(lowest_size(job), job.gpus);
}

// When its limit would end it if it had kept to the GPUs that it was stated for.
Seconds own_limit_end(const ElasticJob& job, Seconds now) {
    const Deadline& deadline = *job.deadline;
    if (!deadline.gpu_time) {
        return now + deadline.left;
    }
    // Of a job that had more for a while, not less than what it has used.
    const domain::GpuTime& own = *deadline.gpu_time;
    const Seconds ran = now - job.started.value_or(now);
    const Seconds used = std::min(ran, Seconds(job.attained / std::max(1U, own.gpus)));
    return now - ran + used + own.left;
}

// On its own request. `own_end` counts no more work than its time limit lets it do.
bool would_have_ended(const ElasticJob& job, Seconds now) {
    const double uncounted = job.deadline->epochs - job.epochs_left;
    return job.own_end &&
           *job.own_end + epoch_time(job, job.requested) * uncounted <= own_limit_end(job, now);
}

// Up to the GPUs that a limit in GPU-time was stated for, growing does not help: fewer get further
// by it.
std::uint32_t least_that_helps(const ElasticJob& job, Seconds rescale) {
    std::uint32_t size = next_size(job, job.deadline->gpu_time->gpus);
    while (size > 0 && !is_enough(job, size, rescale, limit_on(*job.deadline, size))) {
        size = next_size(job, size);
    }
    return size;
}

// Above `gpus`, of the allowed ones and what it holds, which may be none of them; 0: none.
std::uint32_t next_or_held(const ElasticJob& job, std::uint32_t gpus) {
    const std::uint32_t next = next_size(job, gpus);
    return job.gpus > gpus && (next == 0 || job.gpus < next) ? job.gpus : next;
}

}  // namespace

NeededSize needed_size(const ElasticJob& job, Seconds rescale) {
    if (!job.deadline || !job.is_elastic) {
        return {.gpus = lowest_size(job)};
    }
    const bool is_held_enough = job.gpus > 0 && ends_in_time(job, job.gpus, rescale);
    std::uint32_t least = 0;
    for (std::uint32_t size = next_or_held(job, 0); size > 0; size = next_or_held(job, size)) {
        if (!ends_in_time(job, size, rescale)) {
            least = is_held_enough ? 0 : least;
        } else if (least == 0) {
            least = size;
        }
        if (least > 0 && (!is_held_enough || size >= job.gpus)) {
            return {.gpus = least};
        }
    }
    return {.gpus = own_size(job), .is_enough = false};
}

std::uint32_t late_size(const ElasticJob& job, Seconds now, Seconds rescale) {
    if (!job.deadline || !job.is_elastic || job.gpus == 0) {
        return 0;
    }
    const NeededSize needed = needed_size(job, rescale);
    if (needed.gpus <= job.gpus) {
        return 0;
    }
    if (!needed.is_enough) {
        return pays(job, needed.gpus, rescale) ? needed.gpus : 0;
    }
    if (has_its_limit(job, job.gpus) && needed.gpus <= job.deadline->gpu_time->gpus) {
        return would_have_ended(job, now) ? least_that_helps(job, rescale) : 0;
    }
    return would_have_ended(job, now) || needed.gpus <= own_size(job) ? needed.gpus : 0;
}

bool endangers(const ElasticJob& job, std::uint32_t gpus, Seconds rescale) {
    return job.deadline && job.is_elastic && job.gpus > 0 &&
           ends_in_time(job, job.gpus, rescale, Arrival::as_it_is) &&
           !ends_in_time(job, gpus, rescale, Arrival::by_restart);
}

std::uint32_t least_fallback(const ElasticJob& job, std::uint32_t gpus, Seconds rescale) {
    if (!job.deadline || !job.is_elastic) {
        return lowest_size(job);
    }
    if (!ends_in_time(job, gpus, rescale, Arrival::by_restart)) {
        return std::min({own_size(job), job.gpus > 0 ? job.gpus : gpus, gpus});
    }
    std::uint32_t least = gpus;
    for (std::uint32_t size = largest_size(job, least - 1);
         size > 0 && ends_in_time(job, size, rescale, Arrival::by_restart);
         size = largest_size(job, least - 1)) {
        least = size;
    }
    return least;
}

void heed_deadlines(domain::ElasticState& state) {
    for (ElasticJob& job : state.jobs) {
        if (job.deadline && job.is_elastic) {
            const std::uint32_t needed = needed_size(job, state.rescale_of(job)).gpus;
            const std::uint32_t most = job.gpus > 0 ? job.gpus : own_size(job);
            job.min = std::max(job.min, std::min(needed, most));
        }
    }
}

}  // namespace hora::elastic
