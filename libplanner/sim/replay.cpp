// What would the accounted jobs of a site be as a trace, if some of them were elastic?
#include "libplanner/sim/replay.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "libplanner/sim/workload/user_input.hpp"

namespace hora::sim {
namespace {

// Twice the GPUs are `doubling` times as fast, on either side of what the job held.
domain::TrueSpeed speed_of(const domain::AccountedJob& job, std::uint32_t min, std::uint32_t max,
                           double doubling) {
    domain::TrueSpeed speed;
    speed.least = min;
    const double exponent = std::log2(doubling);
    for (std::uint32_t gpus = 1; gpus <= max; ++gpus) {
        const double ratio = static_cast<double>(std::max(gpus, min)) / job.gpus;
        speed.epoch_seconds.push_back(job.elapsed / std::pow(ratio, exponent));
    }
    return speed;
}

}  // namespace

std::uint32_t most_in_use(std::span<const domain::AccountedJob> jobs) {
    std::map<double, std::int64_t> changes;
    for (const domain::AccountedJob& job : jobs) {
        changes[job.started.count()] += job.gpus;
        changes[(job.started + job.elapsed).count()] -= job.gpus;
    }
    std::int64_t used = 0;
    std::int64_t peak = 1;
    for (const auto& [time, change] : changes) {
        used += change;
        peak = std::max(peak, used);
    }
    return static_cast<std::uint32_t>(peak);
}

ClusterSize smallest_cluster(std::span<const domain::AccountedJob> jobs) {
    ClusterSize size;
    for (const domain::AccountedJob& job : jobs) {
        size.gpus_per_node = std::max(size.gpus_per_node, (job.gpus + job.nodes - 1) / job.nodes);
    }
    size.nodes = (most_in_use(jobs) + size.gpus_per_node - 1) / size.gpus_per_node;
    return size;
}

domain::JobTrace as_trace(std::span<const domain::AccountedJob> jobs,
                          const Assumptions& assumptions, std::uint32_t gpus) {
    domain::JobTrace trace;
    for (const domain::AccountedJob& accounted : jobs) {
        domain::TraceJob job;
        job.name = accounted.id;
        job.group = accounted.user;
        job.submitted = accounted.submitted - jobs.front().submitted;
        job.requested = accounted.gpus;
        job.is_elastic = !accounted.is_part;
        job.min = job.max = job.requested;
        if (job.is_elastic) {
            job.min = static_cast<std::uint32_t>(std::ceil(job.requested / assumptions.range));
            job.max =
                std::max(job.requested, static_cast<std::uint32_t>(std::min<double>(
                                            std::floor(job.requested * assumptions.range), gpus)));
        }
        // What is known of one that was ended by its limit is that it did this much by then.
        if (accounted.limit) {
            job.limit = std::max(*accounted.limit, accounted.elapsed);
        }
        trace.jobs.push_back(std::move(job));
    }
    keep_elastic(trace, assumptions.elastic_share, Random(assumptions.seed));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        domain::TraceJob& job = trace.jobs[i];
        job.speed = static_cast<std::uint32_t>(i);
        trace.speeds.push_back(speed_of(jobs[i], job.min, job.max, assumptions.doubling));
    }
    return trace;
}

Result as_it_was(std::span<const domain::AccountedJob> jobs, std::uint32_t gpus) {
    Result result;
    result.policy = "as it was";
    result.gpus = gpus;
    for (std::uint32_t i = 0; i < jobs.size(); ++i) {
        const domain::AccountedJob& job = jobs[i];
        JobResult row;
        row.job = i;
        row.submitted = job.submitted - jobs.front().submitted;
        row.started = job.started - jobs.front().submitted;
        row.ended = row.started + job.elapsed;
        row.gpu_seconds = job.gpus * job.elapsed.count();
        row.segments.push_back({row.started, job.gpus, job.nodes});
        result.jobs.push_back(std::move(row));
    }
    return result;
}

}  // namespace hora::sim
