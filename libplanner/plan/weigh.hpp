// Of the sizes and modes that were priced, which ones do the rules of the request leave?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libplanner/plan/price/curve.hpp"
#include "libplanner/plan/price/free_gpus.hpp"
#include "libplanner/plan/price/pricing.hpp"

namespace hora::plan {

// One mode's sizes, and which of them the marginal efficiency leaves.
struct Curve {
    domain::Mode mode = domain::Mode::independent;
    std::vector<Point> points;        // as priced
    std::vector<Point> allowed;       // after min_efficiency
    bool is_dropped = false;          // by P1's rule
    std::optional<double> variation;  // of the rates of its best set's members, where P1 asks
};

// Walks up the sizes; `start` is the smallest one, which is always allowed (choose.hpp).
std::vector<Point> efficient_sizes(const Point& start, std::span<const Point> points,
                                   double min_efficiency);

// Of equal times the one with fewer GPUs, then units; empty if there are none.
std::optional<Point> fastest_of(std::span<const Point> points);

double gpu_seconds(const Point& point);

// The longest that the objective allows a plan to take where the fastest one takes `fastest`.
double slowest_allowed(const domain::Request& request, double fastest);

// The best of the points by the objective, where the fastest plan takes `fastest`: without it the
// fastest of these points is. Where all of them are too slow for that the fastest one; empty if
// there are none.
std::optional<Point> best_of(std::span<const Point> points, const domain::Request& request,
                             std::optional<double> fastest = {});

// All curves that the request allows.
std::vector<Curve> curves_of(Pricing& pricing, const FreeGpus& free);

// P1's rule between sync and async (choose.hpp).
void apply_variance_rule(std::vector<Curve>& curves, Pricing& pricing, const FreeGpus& free);

// What the rules leave of all curves.
std::vector<Point> left_of(std::span<const Curve> curves);

}  // namespace hora::plan
