// What becomes of a trace where a cluster has nodes of several types?
#include "libplanner/sim/node_types.hpp"

#include <cstddef>
#include <utility>

namespace hora::sim {

// What a seed draws depends on the places of speeds and ranges: all of the type's are kept, in
// their order, used or not.
TypeTrace trace_of(const domain::JobTrace& whole, const std::string& gpu_type) {
    TypeTrace of;
    std::vector<std::uint32_t> speeds(whole.speeds.size());
    for (std::size_t i = 0; i < whole.speeds.size(); ++i) {
        if (whole.speeds[i].gpu_type == gpu_type) {
            speeds[i] = static_cast<std::uint32_t>(of.trace.speeds.size());
            of.trace.speeds.push_back(whole.speeds[i]);
        }
    }
    std::vector<std::uint32_t> ranges(whole.ranges.size());
    for (std::size_t i = 0; i < whole.ranges.size(); ++i) {
        std::vector<domain::BatchSpeed> range = whole.ranges[i];
        if (whole.speeds[range.front().speed].gpu_type != gpu_type) {
            continue;
        }
        for (domain::BatchSpeed& known : range) {
            known.speed = speeds[known.speed];
        }
        ranges[i] = static_cast<std::uint32_t>(of.trace.ranges.size());
        of.trace.ranges.push_back(std::move(range));
    }
    for (std::uint32_t place = 0; place < whole.jobs.size(); ++place) {
        if (whole.jobs[place].gpu_type == gpu_type) {
            domain::TraceJob& job = of.trace.jobs.emplace_back(whole.jobs[place]);
            job.speed = speeds[job.speed];
            job.range = job.range ? std::optional(ranges[*job.range]) : std::nullopt;
            of.places.push_back(place);
        }
    }
    return of;
}

void add_type(Result& all, Result result, const TypeTrace& of) {
    const auto type = static_cast<std::uint32_t>(all.type_gpus.size());
    all.type_gpus.push_back(result.gpus);
    all.gpus += result.gpus;
    all.decisions += result.decisions;
    all.limited += result.limited;
    for (JobResult& row : result.jobs) {
        row.job = of.places[row.job];
        row.type = type;
        all.jobs[row.job] = std::move(row);
    }
}

}  // namespace hora::sim
