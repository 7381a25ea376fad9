// When do jobs take and give up GPUs?
#include "libplanner/report/html/gpu_changes.hpp"

#include <algorithm>
#include <tuple>

namespace hora::report {

std::vector<GpuChange> gpu_changes(const std::vector<sim::JobResult>& jobs) {
    std::vector<GpuChange> changes;
    for (std::uint32_t i = 0; i < jobs.size(); ++i) {
        const sim::JobResult& job = jobs[i];
        std::uint32_t before = 0;
        for (std::size_t k = 0; k < job.segments.size(); ++k) {
            const sim::Segment& segment = job.segments[k];
            const Seconds end = k + 1 < job.segments.size() ? job.segments[k + 1].start : job.ended;
            // One that lasts no time would be taken after it was given up, and kept for ever.
            if (end > segment.start) {
                changes.push_back({segment.start, segment.gpus > before, i, segment.gpus});
                before = segment.gpus;
            }
        }
        changes.push_back({job.ended, false, i, 0});
    }
    std::stable_sort(changes.begin(), changes.end(), [](const GpuChange& a, const GpuChange& b) {
        return std::tuple(a.when, a.takes) < std::tuple(b.when, b.takes);
    });
    return changes;
}

}  // namespace hora::report
