// What is to be decided on, of a pool of GPUs and the jobs that are seen in it?
#include "libplanner/elastic/state_of_jobs.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "libplanner/elastic/worth/deadline.hpp"
#include "libplanner/elastic/worth/sizes.hpp"
#include "libplanner/elastic/worth/work_left.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

// A scheduler that has GPUs for a job starts it within some of its cycles.
constexpr Seconds patience{60};

Seconds at(const SpeedCurve& curve, std::uint32_t gpus) {
    const std::size_t place = std::clamp<std::size_t>(gpus, 1, curve.step.size());
    return curve.step[place - 1];
}

// A boast in --hora-epochs wins nothing: no more counts than its time limit lets it do on the
// GPUs of its own request.
double steps_left(const SeenJob& job) {
    const Seconds step = at(*job.curve, job.requested);
    // Of one that does not say how long it is, as much is expected as it has done.
    constexpr Seconds least_guess{3600};
    const double said = job.steps > 0 ? work_left(job.steps, job.steps_done)
                                      : std::max(job.steps_done, least_guess / step);
    const auto left = job.gpu_time ? std::optional(job.gpu_time->left) : job.time_left;
    const double possible = left ? std::max(*left / step, 0.0) : said;
    constexpr double hardly_any = 1e-6;
    return std::max(std::min(said, possible), hardly_any);
}

double steps_stated(const SeenJob& job) {
    return job.steps > 0 ? work_left(job.steps, job.steps_done)
                         : std::numeric_limits<double>::infinity();
}

ElasticJob weigh(const SeenJob& seen) {
    ElasticJob job;
    job.id = seen.id;
    job.gpus = seen.gpus;
    job.min = own_min(seen);
    job.max = std::max({seen.max, seen.gpus, job.min});
    job.requested = seen.requested;
    job.yields = seen.yields;
    job.epochs_left = steps_left(seen);
    job.epoch_seconds = seen.curve->step;
    job.uncertainty = seen.curve->uncertainty;
    job.submitted = seen.submitted;
    job.started = seen.started;
    job.resized = seen.resized;
    job.attained = seen.attained;
    job.restarts = seen.restarts;
    job.rescale = seen.rescale;
    if (seen.time_left) {
        job.deadline = {
            .left = *seen.time_left, .epochs = steps_stated(seen), .gpu_time = seen.gpu_time};
    }
    if (seen.started) {
        const Seconds own = at(*seen.curve, seen.requested) * (job.epochs_left + seen.steps_done);
        job.own_end = *seen.started + own;
    }
    return job;
}

// What it holds is free soon, and all of it: a restart would cost more than it gives others.
void keep_if_nearly_done(ElasticJob& job, const domain::ElasticState& state) {
    if (job.gpus > 0 && remaining_time(job, job.gpus) <= state.least_saving_of(job)) {
        job.min = std::max(job.min, job.gpus);
    }
}

// The allowed sizes with the one that it holds, which a policy may leave it.
std::vector<std::uint32_t> sizes_of(const SeenJob& seen) {
    std::vector<std::uint32_t> sizes = seen.sizes;
    if (!sizes.empty() && seen.gpus > 0 &&
        !std::binary_search(sizes.begin(), sizes.end(), seen.gpus)) {
        sizes.insert(std::upper_bound(sizes.begin(), sizes.end(), seen.gpus), seen.gpus);
    }
    return sizes;
}

}  // namespace

// Its owner may have changed the request since: what it holds is allowed.
std::uint32_t own_min(const SeenJob& seen) {
    return seen.gpus > 0 ? std::min(seen.min, seen.gpus) : seen.min;
}

std::uint32_t kept_from_others(const ElasticJob& job) {
    return std::min(job.gpus, job.yields ? job.min : std::max(job.min, job.requested));
}

std::uint32_t can_be_had(const Pool& pool, const domain::ElasticState& state) {
    std::uint32_t sum = pool.idle;
    for (const ElasticJob& job : state.jobs) {
        sum += job.gpus - kept_from_others(job);
    }
    return sum;
}

WaitingForMore::WaitingForMore(const Pool& pool) {
    const auto add = [&](std::uint32_t asks, Seconds waited) {
        if (asks <= pool.idle) {
            is_one_starting_ = is_one_starting_ || (asks > 0 && waited < patience);
        } else if (!pool.reserves_nodes) {
            lacks_ = std::min(lacks_, asks - pool.idle);
        }
    };
    for (const OtherJob& other : pool.others) {
        add(other.gpus, other.waited);
    }
    for (const SeenJob& job : pool.jobs) {
        add(job.gpus == 0 ? job.asks : 0, job.waited);
    }
}

std::uint32_t waiting_gpus(const Pool& pool, std::uint32_t at_hand) {
    std::uint32_t sum = 0;
    for (const OtherJob& other : pool.others) {
        const bool waits_for_more = other.gpus > pool.idle || other.waited < patience;
        if (waits_for_more && other.gpus <= at_hand - sum) {
            sum += other.gpus;
        }
    }
    return sum;
}

Question question_of(const Pool& pool) {
    Question question;
    for (std::size_t i = 0; i < pool.jobs.size(); ++i) {
        const SeenJob& seen = pool.jobs[i];
        if (!seen.stays.empty()) {
            continue;
        }
        question.sizes.push_back(sizes_of(seen));
        question.seen.push_back(i);
    }
    domain::ElasticState& state = question.state;
    for (std::size_t i = 0; i < question.seen.size(); ++i) {
        state.jobs.push_back(weigh(pool.jobs[question.seen[i]]));
        state.jobs.back().sizes = question.sizes[i];
    }
    state.rescale = pool.rescale;
    state.constants = pool.constants;
    heed_deadlines(state);
    for (ElasticJob& job : state.jobs) {
        keep_if_nearly_done(job, state);
    }
    state.now = pool.now;
    state.gpus = pool.idle + state.held();
    state.waiting = waiting_gpus(pool, can_be_had(pool, state));
    state.gpus_per_node = pool.gpus_per_node;
    question.free = FreeNodes(pool.free, pool.gpus_per_node);
    return question;
}

}  // namespace hora::elastic
