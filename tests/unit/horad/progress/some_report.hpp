// Reports of a job with two GPUs, and such a job as horad sees it.
#pragma once

#include <cstdint>

#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/reports.hpp"

namespace hora::horad {

inline slurm::Report progress(std::uint32_t job, std::uint32_t restarts, std::uint64_t step,
                              std::uint32_t gpus = 2) {
    return {.job = job,
            .restarts = restarts,
            .kind = slurm::ReportKind::progress,
            .step = step,
            .epoch = 1,
            .samples = step * 10,
            .step_seconds = Seconds(0.5),
            .gpus = gpus,
            .nodes = 1};
}

inline Observation with_job(std::uint32_t id, std::uint32_t uid, std::uint32_t restarts,
                            slurm::JobState state) {
    Observation seen;
    ObservedJob job;
    job.id = id;
    job.uid = uid;
    job.restarts = restarts;
    job.state = state;
    job.gpus = 2;
    job.shape.nodes = 1;
    seen.jobs.push_back(job);
    return seen;
}

}  // namespace hora::horad
