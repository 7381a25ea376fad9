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
    const double whole = result.gpus * summary.makespan.count();
    summary.utilisation = whole > 0 ? held / whole : 0;
    return summary;
}

Comparison compare(const Result& result, const Result& other, const domain::JobTrace& trace) {
    constexpr double noticeable = 1.01;
    Comparison comparison;
    std::size_t elastic_jobs = 0;
    Seconds elastic;
    Seconds other_elastic;
    Seconds rigid;
    Seconds other_rigid;
    for (std::size_t i = 0; i < result.jobs.size(); ++i) {
        const Seconds own = result.jobs[i].completion();
        const Seconds its = other.jobs[i].completion();
        if (!trace.jobs[result.jobs[i].job].is_elastic) {
            rigid += own;
            other_rigid += its;
            continue;
        }
        ++elastic_jobs;
        elastic += own;
        other_elastic += its;
        comparison.later += own > its * noticeable ? 1 : 0;
        comparison.latest = std::max(comparison.latest, own / its);
    }
    if (elastic_jobs > 0) {
        comparison.later /= static_cast<double>(elastic_jobs);
        comparison.elastic_mean = elastic / other_elastic;
    }
    if (elastic_jobs < result.jobs.size()) {
        comparison.rigid_mean = rigid / other_rigid;
    }
    return comparison;
}

Comparison mean_of(std::span<const Comparison> sets) {
    Comparison mean;
    double with_elastic = 0;
    double with_rigid = 0;
    for (const Comparison& set : sets) {
        with_elastic += set.latest > 0 ? 1 : 0;
        with_rigid += set.rigid_mean > 0 ? 1 : 0;
        mean.later += set.later;
        mean.latest = std::max(mean.latest, set.latest);
        mean.elastic_mean += set.elastic_mean;
        mean.rigid_mean += set.rigid_mean;
    }
    mean.later /= std::max(1.0, with_elastic);
    mean.elastic_mean /= std::max(1.0, with_elastic);
    mean.rigid_mean /= std::max(1.0, with_rigid);
    return mean;
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
