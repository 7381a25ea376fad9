// Who starts without delaying those before it, if every job runs until its time limit?
#include "libplanner/elastic/policies/backfill.hpp"

#include <algorithm>

namespace hora::elastic {
namespace {

Seconds time_left(const domain::ElasticJob& job, Seconds now) {
    return job.deadline ? job.deadline->left : unlimited - (now - job.started.value_or(now));
}

}  // namespace

void BackfillPlan::hold(std::uint32_t gpus, Seconds left) {
    schedule_.submit(gpus, std::max(left, least_left));
}

bool BackfillPlan::starts(std::uint32_t gpus, Seconds limit, Seconds from) {
    if (gpus > gpus_) {
        return false;
    }
    limit = std::max(limit, least_left);
    const bool starts_now = schedule_.earliest(gpus, limit, from) == Seconds(0);
    if (starts_now || reservations_ == Reservations::all || waiting_ == 0) {
        schedule_.submit(gpus, limit, from);
    }
    waiting_ += starts_now ? 0 : 1;
    return starts_now;
}

Allocation Backfill::decide(const domain::ElasticState& state) const {
    Allocation result;
    result.gpus.reserve(state.jobs.size());
    std::uint64_t held = state.waiting;
    for (const domain::ElasticJob& job : state.jobs) {
        result.gpus.push_back(job.gpus);
        held += job.gpus;
    }
    std::uint64_t idle = state.gpus > held ? state.gpus - held : 0;
    if (idle == 0) {
        return result;
    }
    BackfillPlan plan(state.gpus, reservations_);
    plan.hold(state.waiting, unlimited);
    for (const domain::ElasticJob& job : state.jobs) {
        if (job.gpus > 0) {
            plan.hold(job.gpus, time_left(job, state.now));
        }
    }
    for (std::size_t i = 0; i < state.jobs.size() && idle > 0 && !plan.is_over(); ++i) {
        const domain::ElasticJob& job = state.jobs[i];
        if (job.gpus == 0 && plan.starts(job.requested, time_left(job, state.now))) {
            result.gpus[i] = job.requested;
            result.objective += 1;
            idle -= job.requested;
        }
    }
    return result;
}

}  // namespace hora::elastic
