// Traces that tests make up.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/domain/job_trace.hpp"

namespace hora::sim {

inline void add_job(domain::JobTrace& trace, domain::TraceJob job, std::vector<double> epochs) {
    domain::TrueSpeed speed;
    speed.least = job.min;
    for (const double seconds : epochs) {
        speed.epoch_seconds.emplace_back(seconds);
    }
    job.name = "job-" + std::to_string(trace.jobs.size() + 1);
    job.speed = static_cast<std::uint32_t>(trace.speeds.size());
    trace.jobs.push_back(std::move(job));
    trace.speeds.push_back(std::move(speed));
}

inline domain::TraceJob rigid_job(double submitted, std::uint32_t gpus) {
    domain::TraceJob job;
    job.submitted = Seconds(submitted);
    job.is_elastic = false;
    job.requested = job.min = job.max = gpus;
    return job;
}

inline domain::TraceJob elastic_job(double submitted, std::uint32_t requested, std::uint32_t max) {
    domain::TraceJob job;
    job.submitted = Seconds(submitted);
    job.requested = requested;
    job.max = max;
    return job;
}

}  // namespace hora::sim
