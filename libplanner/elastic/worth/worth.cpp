// What is each size worth to a job, the restart that leads there included?
#include "libplanner/elastic/worth/worth.hpp"

#include <algorithm>
#include <cmath>

#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;
using domain::PolicyConstants;

struct Point {
    std::uint32_t gpus = 0;
    double worth = 0;
};

double slope(const Point& from, const Point& to) {
    return (to.worth - from.worth) / (to.gpus - from.gpus);
}

// Points come by ascending GPUs: one below the line from its neighbour to the next drops out.
void add_to_hull(std::vector<Point>& hull, const Point& next) {
    if (!hull.empty() && next.worth <= hull.back().worth) {
        return;
    }
    while (hull.size() >= 2 &&
           slope(hull[hull.size() - 2], hull.back()) <= slope(hull.back(), next)) {
        hull.pop_back();
    }
    hull.push_back(next);
}

double kept_by_restart(const ElasticJob& job, Seconds rescale, Seconds now,
                       const PolicyConstants& constants) {
    if (job.gpus == 0) {
        return 1;
    }
    const Seconds lasts = std::min(constants.horizon, remaining_time(job, job.gpus));
    const Seconds age = now - job.started.value_or(now);
    const double often = job.restarts / std::max(1.0, age / constants.horizon);
    const double crowd = often / constants.many_restarts;
    const Seconds cost = rescale * (1 + crowd * crowd);
    return lasts > cost ? 1 - cost / lasts : 0;
}

}  // namespace

double shortness_among(std::size_t jobs, const PolicyConstants& constants) {
    const double above = std::max(0.0, static_cast<double>(jobs) - constants.few_jobs);
    const double span = constants.many_jobs - constants.few_jobs;
    return constants.shortness * std::min(1.0, above / span);
}

double urgency(const ElasticJob& job, double shortness) {
    return std::pow(std::max(1.0, remaining_time(job, 1).count()), -shortness);
}

double speed_up(const ElasticJob& job, std::uint32_t gpus, const PolicyConstants& constants) {
    const Seconds epoch = gpus == 0 ? Seconds(0) : epoch_time(job, gpus);
    if (epoch <= Seconds(0)) {
        return 0;
    }
    const double uncertainty = gpus == job.gpus ? 0 : uncertainty_of(job, gpus);
    return epoch_time(job, 1) / epoch / (1 + constants.caution * uncertainty);
}

std::vector<WorthStep> worth(const ElasticJob& job, double shortness, Seconds rescale, Seconds now,
                             const PolicyConstants& constants) {
    const double weight = urgency(job, shortness);
    const double kept = kept_by_restart(job, rescale, now, constants);
    std::vector<Point> hull;
    const auto add = [&](std::uint32_t size, double share) {
        add_to_hull(hull, {size, weight * share * speed_up(job, size, constants)});
    };
    // What it holds may be none of the allowed sizes.
    bool is_held_due = job.gpus > 0;
    for (std::uint32_t size = lowest_size(job); size > 0; size = next_size(job, size)) {
        if (is_held_due && size >= job.gpus) {
            add(job.gpus, 1);
            is_held_due = false;
        }
        if (size != job.gpus) {
            add(size, kept);
        }
    }
    if (is_held_due) {
        add(job.gpus, 1);
    }
    std::vector<WorthStep> steps;
    steps.reserve(hull.size());
    Point before;
    for (const Point& point : hull) {
        steps.push_back({point.gpus, slope(before, point)});
        before = point;
    }
    return steps;
}

bool pays(const ElasticJob& job, std::uint32_t gpus, Seconds rescale) {
    return job.gpus == 0 || rescale + remaining_time(job, gpus) < remaining_time(job, job.gpus);
}

}  // namespace hora::elastic
