// Which jobs keep the GPUs that they have only for the sake of their time limits?
#include "libplanner/elastic/held_back.hpp"

#include <algorithm>
#include <cmath>

#include "libplanner/elastic/worth/deadline.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;
using domain::ElasticState;

// May less or more than it has be in question, but for its limit?
bool may_be_held(const ElasticJob& job, std::uint32_t own_min, std::uint32_t answer,
                 Seconds rescale) {
    return job.deadline && job.gpus > 0 &&
           (job.min > own_min || (answer > job.gpus && endangers(job, answer, rescale)));
}

bool is_any_held(const Pool& pool, const Question& question, const Allocation& answer) {
    for (std::size_t i = 0; i < question.seen.size(); ++i) {
        const ElasticJob& job = question.state.jobs[i];
        if (may_be_held(job, own_min(pool.jobs[question.seen[i]]), answer.gpus[i],
                        question.state.rescale_of(job))) {
            return true;
        }
    }
    return false;
}

// How much is left of each stays as it was weighed: by its limit.
ElasticState without_limits(const Pool& pool, const Question& question) {
    ElasticState state = question.state;
    for (std::size_t i = 0; i < question.seen.size(); ++i) {
        state.jobs[i].deadline.reset();
        state.jobs[i].min = own_min(pool.jobs[question.seen[i]]);
    }
    state.waiting = waiting_gpus(pool, can_be_had(pool, state));
    return state;
}

std::uint32_t size_after(const Verdict& verdict, const ElasticJob& job) {
    for (const auto* const changes : {&verdict.now, &verdict.later}) {
        for (const Change& change : *changes) {
            if (change.id == job.id) {
                return change.to;
            }
        }
    }
    return job.gpus;
}

std::string why_no_fewer(ElasticJob job, std::uint32_t own_min, Seconds rescale) {
    job.min = own_min;
    if (needed_size(job, rescale).is_enough) {
        return "on fewer it would not end within its time limit";
    }
    return std::isfinite(job.deadline->epochs)
               ? "it may not end within its time limit as it is"
               : "it does not say how long it runs, and fewer than requested may be too few for "
                 "its time limit";
}

}  // namespace

std::vector<HeldBack> held_back(const Pool& pool, const Question& question, const Policy& policy,
                                const Allocation& answer, const Verdict& verdict) {
    if (!is_any_held(pool, question, answer)) {
        return {};
    }
    const ElasticState free = without_limits(pool, question);
    const Verdict freely = judge(pool, question, free, policy.decide(free));
    std::vector<HeldBack> held;
    for (std::size_t i = 0; i < question.seen.size(); ++i) {
        const ElasticJob& job = question.state.jobs[i];
        const Seconds rescale = question.state.rescale_of(job);
        const std::uint32_t own = own_min(pool.jobs[question.seen[i]]);
        if (!may_be_held(job, own, answer.gpus[i], rescale)) {
            continue;
        }
        const std::uint32_t gpus = size_after(verdict, job);
        const std::uint32_t otherwise = size_after(freely, job);
        // One that grows for its limit says so itself.
        if (gpus <= job.gpus && otherwise < std::min(gpus, job.min)) {
            held.push_back({job.id, gpus, otherwise, why_no_fewer(job, own, rescale)});
        } else if (otherwise > gpus && gpus == job.gpus && endangers(job, otherwise, rescale)) {
            held.push_back({job.id, gpus, otherwise,
                            "the time of a restart might keep it from ending within its time "
                            "limit"});
        }
    }
    return held;
}

}  // namespace hora::elastic
