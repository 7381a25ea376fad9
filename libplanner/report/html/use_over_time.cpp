// How many GPUs were held over time, by jobs of which size?
#include "libplanner/report/html/use_over_time.hpp"

#include <algorithm>

namespace hora::report {
namespace {

std::size_t class_of(std::uint32_t gpus) {
    std::size_t index = 0;
    while (gpus > size_classes[index].most) {
        ++index;
    }
    return index;
}

// Spreads a time with so many GPUs over the slices that it touches.
void add(UseOverTime& use, Seconds start, Seconds end, std::uint32_t gpus) {
    if (gpus == 0 || !(end > start)) {
        return;
    }
    const std::size_t index = class_of(gpus);
    const auto slice_at = [&](Seconds time) {
        const double place = (time - use.start) / use.slice;
        return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(place, 0.0)), 0,
                                       use.held.size() - 1);
    };
    for (std::size_t i = slice_at(start); i <= slice_at(end); ++i) {
        const Seconds from = use.start + use.slice * static_cast<double>(i);
        const Seconds overlap = std::min(end, from + use.slice) - std::max(start, from);
        use.held[i][index] += gpus * std::max(overlap / use.slice, 0.0);
    }
}

}  // namespace

UseOverTime use_over_time(const sim::Result& result, std::size_t slices) {
    UseOverTime use;
    if (result.jobs.empty() || slices == 0) {
        return use;
    }
    use.start = result.jobs.front().submitted;
    Seconds end = use.start;
    for (const sim::JobResult& job : result.jobs) {
        use.start = std::min(use.start, job.submitted);
        end = std::max(end, job.ended);
    }
    use.slice = (end - use.start) / static_cast<double>(slices);
    if (!(use.slice > Seconds(0))) {
        use.slice = Seconds(0);
        return use;
    }
    use.held.resize(slices);
    for (const sim::JobResult& job : result.jobs) {
        for (std::size_t i = 0; i < job.segments.size(); ++i) {
            const Seconds until =
                i + 1 < job.segments.size() ? job.segments[i + 1].start : job.ended;
            add(use, job.segments[i].start, until, job.segments[i].gpus);
        }
    }
    return use;
}

}  // namespace hora::report
