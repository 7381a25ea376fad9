// What may have become of some jobs, to draw pages of.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <utility>

#include "libplanner/report/html/html_page.hpp"

namespace hora::report {

inline sim::JobResult some_job(std::uint32_t gpus) {
    sim::JobResult job;
    double time = *rc::gen::inRange(0, 100);
    job.submitted = Seconds(time);
    time += *rc::gen::inRange(0, 10);
    job.started = Seconds(time);
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
        const auto held = *rc::gen::inRange<std::uint32_t>(0, gpus + 1);
        const double length = *rc::gen::element(0, 0, *rc::gen::inRange(1, 50));
        job.segments.push_back({Seconds(time), held, 1});
        job.gpu_seconds += held * length;
        time += length;
    }
    job.ended = Seconds(time);
    return job;
}

inline sim::Result some_result() {
    sim::Result result;
    result.policy = "hora";
    result.gpus = *rc::gen::inRange<std::uint32_t>(1, 9);
    for (int i = *rc::gen::inRange(0, 8); i > 0; --i) {
        result.jobs.push_back(some_job(result.gpus));
        result.jobs.back().job = static_cast<std::uint32_t>(result.jobs.size());
    }
    return result;
}

inline sim::JobResult job_from(double start, double end, std::uint32_t gpus) {
    return {.job = 0,
            .submitted = Seconds(start),
            .started = Seconds(start),
            .ended = Seconds(end),
            .gpu_seconds = gpus * (end - start),
            .restarts = 0,
            .segments = {{Seconds(start), gpus, 1}}};
}

inline Page page_of(sim::Result result) {
    Page page;
    page.title = "t";
    page.runs.push_back({std::move(result), {}});
    return page;
}

}  // namespace hora::report
