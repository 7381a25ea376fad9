// How does horad see the jobs of a simulation?
#include "libplanner/sim/daemon_view.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "libplanner/sim/time_limit.hpp"

namespace hora::sim {
namespace {

std::string why_it_stays(const domain::ElasticJob& job, const ActiveJob& active, Seconds now,
                         const Setup& setup) {
    if (now < active.rests_until) {
        return "could not be resized a moment ago";
    }
    if (job.gpus == 0) {
        return now < active.suspended_until ? "was suspended a moment ago" : "";
    }
    if (now <= active.trains_from) {
        return "has reported no progress since its start";
    }
    // As the simulation adds them for when it looks again: their difference may be rounded to less.
    return now < job.resized + setup.cooldown ? "was started or resized not long ago" : "";
}

elastic::SeenJob seen_job(const domain::ElasticJob& job, const ActiveJob& active,
                          const domain::TraceJob& described, Seconds now, const Setup& setup) {
    elastic::SeenJob seen;
    seen.id = job.id;
    seen.gpus = job.gpus;
    seen.asks = job.gpus == 0 ? active.asks : 0;
    seen.waited = now - job.submitted;
    seen.asks_as_resized = job.gpus == 0;
    seen.requested = described.requested;
    seen.min = described.min;
    seen.max = std::max(described.min, std::min(described.max, setup.gpus()));
    seen.sizes = described.sizes;
    seen.yields = described.yields;
    seen.may_be_suspended = described.suspends;
    seen.stays = why_it_stays(job, active, now, setup);
    seen.steps = described.stated();
    seen.steps_done = described.epochs - (job.gpus > 0 ? active.left_at(now) : active.left);
    if (described.limit) {
        const domain::Deadline deadline = deadline_of(described, active, job, setup.limits, now);
        seen.time_left = deadline.left;
        seen.gpu_time = deadline.gpu_time;
    }
    seen.submitted = job.submitted;
    seen.started = job.started;
    seen.resized = job.resized;
    seen.attained = job.attained;
    seen.restarts = job.restarts;
    seen.nodes = active.shares;
    seen.batch = active.batch;
    seen.curve = active.curve;
    return seen;
}

}  // namespace

elastic::Pool daemon_view(const domain::ElasticState& state, std::span<const ActiveJob> active,
                          const domain::JobTrace& trace, const Setup& setup,
                          const Placement& placement, std::uint32_t settled) {
    elastic::Pool pool;
    pool.name = "the cluster";
    pool.now = state.now;
    pool.idle = placement.idle();
    pool.settled = settled;
    pool.gpus_per_node = setup.gpus_per_node;
    pool.rescale = setup.rescale;
    pool.free = placement.free();
    pool.reserves_nodes = true;  // a restart takes its time, and its GPUs are kept meanwhile
    pool.constants = setup.constants;
    for (std::size_t place = 0; place < active.size(); ++place) {
        const domain::ElasticJob& job = state.jobs[place];
        if (job.is_elastic) {
            pool.jobs.push_back(
                seen_job(job, active[place], trace.jobs[active[place].job], state.now, setup));
        } else if (job.gpus == 0) {
            pool.others.push_back({job.requested, state.now - job.submitted});
        }
    }
    return pool;
}

}  // namespace hora::sim
