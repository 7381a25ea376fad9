// What is each size worth to a job, the restart that leads there included?
#include "libplanner/elastic/worth/worth.hpp"

#include <algorithm>
#include <cmath>

#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

using domain::ElasticJob;

// Beyond it the next arrival or end is sure to have changed everything. Between 10 minutes and an
// hour it makes no difference to P5's and Pollux's workloads.
constexpr Seconds horizon(1800);

// 0 would maximise the speed of all together, 1 run the shortest job first; 1/4 gives the least
// mean completion time on workloads made like P5's and Pollux's.
constexpr double most_shortness = 0.25;
// Short jobs soon leave if there are few, and then a long one is alone on more GPUs than it can use
// well: it gets its share earlier. Ends of P5's sets come forward by 0.8 %, at no less mean speed.
constexpr std::size_t few_jobs = 3;
constexpr std::size_t many_jobs = 9;

// In standard errors. More of it leaves the long jobs, which gain most, on sizes that are slow by
// an error of the first predictions. Mean completion times are 1.3 % longer with 0.15 (Pollux's 12
// traces, 192 simulations with learned knowledge).
constexpr double caution = 0.2;

// Restarts in one horizon at which the next one is counted twice: no storm of them, whatever noise
// there is in what was measured.
constexpr double many_restarts = 3;

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

double kept_by_restart(const ElasticJob& job, Seconds rescale, Seconds now) {
    if (job.gpus == 0) {
        return 1;
    }
    const Seconds lasts = std::min(horizon, remaining_time(job, job.gpus));
    const Seconds age = now - job.started.value_or(now);
    const double often = job.restarts / std::max(1.0, age / horizon);
    const double crowd = often / many_restarts;
    const Seconds cost = rescale * (1 + crowd * crowd);
    return lasts > cost ? 1 - cost / lasts : 0;
}

}  // namespace

double shortness_among(std::size_t jobs) {
    constexpr double span = many_jobs - few_jobs;
    const auto above = static_cast<double>(std::max(jobs, few_jobs) - few_jobs);
    return most_shortness * std::min(1.0, above / span);
}

double urgency(const ElasticJob& job, double shortness) {
    return std::pow(std::max(1.0, remaining_time(job, 1).count()), -shortness);
}

double speed_up(const ElasticJob& job, std::uint32_t gpus) {
    const Seconds epoch = gpus == 0 ? Seconds(0) : epoch_time(job, gpus);
    if (epoch <= Seconds(0)) {
        return 0;
    }
    const double uncertainty = gpus == job.gpus ? 0 : uncertainty_of(job, gpus);
    return epoch_time(job, 1) / epoch / (1 + caution * uncertainty);
}

std::vector<WorthStep> worth(const ElasticJob& job, double shortness, Seconds rescale,
                             Seconds now) {
    const double weight = urgency(job, shortness);
    const double kept = kept_by_restart(job, rescale, now);
    std::vector<Point> hull;
    const auto add = [&](std::uint32_t size, double share) {
        add_to_hull(hull, {size, weight * share * speed_up(job, size)});
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
