// Of the sizes and modes that were priced, which ones do the rules of the request leave?
#include "libplanner/plan/weigh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "libplanner/plan/place.hpp"

namespace hora::plan {

namespace {

using domain::Mode;

bool considers(const domain::Request& request, Mode mode) {
    if (request.mode) {
        return *request.mode == mode;
    }
    return mode == Mode::independent || mode == Mode::sync ||
           (mode == Mode::balanced && request.accepts_balanced) ||
           (mode == Mode::async && request.accepts_async);
}

// However many GPUs that takes.
bool wants_fastest(const domain::Request& request) {
    return request.objective == domain::Objective::time && !(request.tolerance > 0);
}

bool is_faster(const Point& a, const Point& b) {
    return std::pair(a.price, a.size.order()) < std::pair(b.price, b.size.order());
}

std::vector<Point> price(Mode mode, Pricing& pricing, const FreeGpus& free) {
    const domain::Request& request = pricing.request();
    switch (mode) {
        case Mode::independent:
            return independent_curve(pricing, free);
        case Mode::sync:
            return sync_curve(pricing, free);
        case Mode::async:
            return async_curve(pricing, free);
        case Mode::balanced:
            break;
    }
    return balanced_curve(pricing, free, wants_fastest(request) && !(request.min_efficiency > 0));
}

// P1: spread of the members' rates, as standard deviation / mean.
double rate_variation(Pricing& pricing, const FreeGpus& free, const Point& point) {
    const std::uint64_t share = pricing.share_of(point.size.members());
    std::vector<double> rates;
    for (const domain::Member& member : place(pricing, free, point, Placing::thorough)) {
        const std::uint32_t device = pricing.cluster().gpus[member.gpu].device;
        rates.push_back(1 / pricing.step(device, share).compute().count());
    }
    const auto count = static_cast<double>(rates.size());
    const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / count;
    double squares = 0;
    for (const double rate : rates) {
        squares += (rate - mean) * (rate - mean);
    }
    return std::sqrt(squares / count) / mean;
}

Curve* find(std::vector<Curve>& curves, Mode mode) {
    const auto at = std::find_if(curves.begin(), curves.end(),
                                 [&](const Curve& curve) { return curve.mode == mode; });
    return at != curves.end() && !at->allowed.empty() ? &*at : nullptr;
}

}  // namespace

std::vector<Point> efficient_sizes(const Point& start, std::span<const Point> points,
                                   double min_efficiency) {
    std::vector<Point> allowed;
    const auto first = static_cast<double>(start.size.members());
    double members = first;
    double speed = first;  // of the size allowed last, a member of `start` being 1
    for (const Point& point : points) {
        const auto more = static_cast<double>(point.size.members()) - members;
        const double faster = first * start.price.time / point.price.time - speed;
        const bool is_start = point.mode == start.mode && point.size == start.size;
        if (is_start || !(min_efficiency > 0) || (more > 0 && faster / more >= min_efficiency)) {
            allowed.push_back(point);
            members += more;
            speed += faster;
        }
    }
    return allowed;
}

std::optional<Point> fastest_of(std::span<const Point> points) {
    const auto fastest = std::min_element(points.begin(), points.end(), is_faster);
    return fastest == points.end() ? std::nullopt : std::optional(*fastest);
}

double gpu_seconds(const Point& point) {
    return static_cast<double>(point.size.members()) * point.price.time;
}

double slowest_allowed(const domain::Request& request, double fastest) {
    const bool is_time = request.objective == domain::Objective::time;
    return (1 + (is_time ? request.tolerance : request.slowdown)) * fastest;
}

std::optional<Point> best_of(std::span<const Point> points, const domain::Request& request,
                             std::optional<double> fastest) {
    std::optional<Point> best = fastest_of(points);
    if (!best || wants_fastest(request)) {
        return best;
    }
    const double limit = slowest_allowed(request, fastest.value_or(best->price.time));
    for (const Point& point : points) {
        if (point.price.time <= limit &&
            (gpu_seconds(point) < gpu_seconds(*best) ||
             (gpu_seconds(point) == gpu_seconds(*best) && is_faster(point, *best)))) {
            best = point;
        }
    }
    return best;
}

std::vector<Curve> curves_of(Pricing& pricing, const FreeGpus& free) {
    const domain::Request& request = pricing.request();
    std::vector<Curve> curves;
    for (const Mode mode : {Mode::independent, Mode::sync, Mode::balanced, Mode::async}) {
        if (!considers(request, mode)) {
            continue;
        }
        Curve curve{mode, price(mode, pricing, free), {}, false, {}};
        if (!curve.points.empty()) {
            const bool has_one = !curves.empty() && !curves.front().points.empty() &&
                                 curves.front().mode == Mode::independent;
            const Point& start = has_one ? curves.front().points.front() : curve.points.front();
            curve.allowed = efficient_sizes(start, curve.points, request.min_efficiency);
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

void apply_variance_rule(std::vector<Curve>& curves, Pricing& pricing, const FreeGpus& free) {
    const domain::Request& request = pricing.request();
    Curve* async = find(curves, Mode::async);
    if (request.mode || async == nullptr) {
        return;
    }
    // Rounding must not make equal members unequal.
    const double limit = request.async_threshold + 1e-9;
    Curve* sync = find(curves, Mode::sync);
    async->variation = rate_variation(pricing, free, *best_of(async->allowed, request));
    async->is_dropped = sync != nullptr && !(*async->variation > limit);
    if (sync != nullptr) {
        sync->variation = rate_variation(pricing, free, *best_of(sync->allowed, request));
        sync->is_dropped = !async->is_dropped && *sync->variation > limit;
    }
}

std::vector<Point> left_of(std::span<const Curve> curves) {
    std::vector<Point> left;
    for (const Curve& curve : curves) {
        if (!curve.is_dropped) {
            left.insert(left.end(), curve.allowed.begin(), curve.allowed.end());
        }
    }
    return left;
}

}  // namespace hora::plan
