// What is each job owed, so that none ends later than it would if all kept to their requests?
#include "libplanner/elastic/policies/promise.hpp"

#include <algorithm>

#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

// Sums of times round.
constexpr Seconds rounding(1e-6);

// The least that is as fast as its request.
std::uint32_t as_fast_as_requested(const ElasticJob& job) {
    const std::uint32_t requested = largest_size(job, job.requested);
    for (std::uint32_t size = lowest_size(job); size > 0 && size < requested;
         size = next_size(job, size)) {
        if (epoch_time(job, size) <= epoch_time(job, requested)) {
            return size;
        }
    }
    return std::max(requested, lowest_size(job));
}

// In standard errors: growth counts only as far as it was measured. An error in the time on its own
// request moves its slot's end alike, and that on what it holds is in what it has done.
double uncertainty(const ElasticJob& job, std::uint32_t gpus) {
    return gpus == job.gpus || gpus == job.requested ? 0 : uncertainty_of(job, gpus);
}

}  // namespace

bool is_owed(const ElasticJob& job, Seconds now) {
    return job.slot && job.slot->start <= now;
}

std::uint32_t owed_size(const ElasticJob& job, Seconds now, Seconds rescale) {
    for (std::uint32_t size = lowest_size(job); size > 0; size = next_size(job, size)) {
        const Seconds restart = job.gpus > 0 && size != job.gpus ? rescale : Seconds(0);
        const Seconds rest = remaining_time(job, size) * (1 + uncertainty(job, size));
        if (now + restart + rest <= job.slot->end + rounding) {
            return size;
        }
    }
    return as_fast_as_requested(job);
}

SpareGpus::SpareGpus(const domain::ElasticState& state) : now_(state.now), rescale_(state.rescale) {
    for (const domain::Slot& slot : state.ended) {
        add(slot.start, slot.end, slot.gpus);
    }
    for (const ElasticJob& job : state.jobs) {
        if (is_owed(job, state.now)) {
            // A late job has more than its slot, which no job that would start has caused.
            const std::uint32_t own = owed_size(job, state.now, state.rescale_of(job));
            add(state.now, job.slot->end, job.slot->gpus - std::min(own, job.slot->gpus));
        } else if (job.slot && job.gpus > 0) {
            take(job, floor_size(job));
        }
    }
}

bool SpareGpus::has(const ElasticJob& job, std::uint32_t gpus) const {
    const Seconds until = leaves(job, gpus);
    std::int64_t spare = spare_;
    bool is_there = spare >= gpus;
    for (auto each = changes_.begin(); is_there && each != changes_.end() && each->first < until;
         ++each) {
        spare += each->second;
        is_there = spare >= gpus;
    }
    return is_there;
}

void SpareGpus::take(const ElasticJob& job, std::uint32_t gpus) {
    add(now_, leaves(job, gpus), -static_cast<std::int64_t>(gpus));
}

// It has its own slot then, or has ended without it.
Seconds SpareGpus::leaves(const ElasticJob& job, std::uint32_t gpus) const {
    const Seconds rest = remaining_time(job, gpus) * (1 + uncertainty(job, gpus));
    return std::min(job.slot->start, now_ + rescale_ + rest);
}

void SpareGpus::add(Seconds from, Seconds to, std::int64_t gpus) {
    if (to <= now_) {
        return;
    }
    if (from <= now_) {
        spare_ += gpus;
    } else {
        changes_[from] += gpus;
    }
    changes_[to] -= gpus;
}

}  // namespace hora::elastic
