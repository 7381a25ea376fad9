// What became of each job of a simulation, and what does it come to?
#include "libplanner/sim/result.hpp"

#include <algorithm>
#include <cmath>

namespace hora::sim {

double percentile(std::vector<double> values, double share) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double part = place - std::floor(place);
    return values[below] + part * (values[above] - values[below]);
}

Summary summarise(const Result& result) {
    Summary summary;
    if (result.jobs.empty()) {
        return summary;
    }
    std::vector<double> completions;
    double held = 0;
    Seconds first = result.jobs.front().submitted;
    Seconds last = result.jobs.front().ended;
    for (const JobResult& job : result.jobs) {
        completions.push_back(job.completion().count());
        summary.mean_completion += job.completion();
        summary.restarts_per_job += job.restarts;
        summary.cut_off += job.is_cut_off ? 1 : 0;
        held += job.gpu_seconds;
        first = std::min(first, job.submitted);
        last = std::max(last, job.ended);
    }
    summary.limited = static_cast<double>(result.limited);
    summary.jobs = static_cast<double>(result.jobs.size());
    summary.mean_completion = summary.mean_completion / summary.jobs;
    summary.restarts_per_job /= summary.jobs;
    summary.median_completion = Seconds(percentile(completions, 0.5));
    summary.p99_completion = Seconds(percentile(completions, 0.99));
    summary.makespan = last - first;
    summary.utilisation = held / (result.gpus * summary.makespan.count());
    return summary;
}

Summary mean_of(std::span<const Summary> sets) {
    Summary mean;
    for (const Summary& set : sets) {
        const double share = 1 / static_cast<double>(sets.size());
        mean.jobs += set.jobs * share;
        mean.mean_completion += set.mean_completion * share;
        mean.median_completion += set.median_completion * share;
        mean.p99_completion += set.p99_completion * share;
        mean.makespan += set.makespan * share;
        mean.restarts_per_job += set.restarts_per_job * share;
        mean.utilisation += set.utilisation * share;
        mean.limited += set.limited * share;
        mean.cut_off += set.cut_off * share;
    }
    return mean;
}

}  // namespace hora::sim
