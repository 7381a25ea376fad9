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

// The best of the points by the objective: empty if there are none.
std::optional<Point> best_of(std::span<const Point> points, const domain::Request& request);

// All curves that the request allows.
std::vector<Curve> curves_of(Pricing& pricing, const FreeGpus& free);

// P1's rule between sync and async (choose.hpp).
void apply_variance_rule(std::vector<Curve>& curves, Pricing& pricing, const FreeGpus& free);

// The best of all curves that are left.
std::optional<Point> best_of(std::span<const Curve> curves, const domain::Request& request);

}  // namespace hora::plan
