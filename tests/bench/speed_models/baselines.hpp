// How do others predict a step's time on a number of GPUs?
#pragma once

#include <functional>
#include <span>

#include "tests/bench/speed_models/series.hpp"

namespace hora::bench {

struct Predicted {
    double step = 0;         // seconds
    double uncertainty = 0;  // relative standard error; 0: the model does not say
};
using Predict = std::function<Predicted(const Point&)>;
using Fit = std::function<Predict(const Series&, std::span<const Point>)>;

// f(g) = a / g + b (g - 1) / g + c by non-negative least squares on relative errors.
Predict shared_ring_fixed(const Series& series, std::span<const Point> points);

// What one GPU takes for the local batch, as other jobs of the model have shown it, and a ring
// all-reduce whose bandwidths inside and between nodes are fitted.
Predict one_gpu_and_ring(const Series& series, std::span<const Point> points);

// Pollux (OSDI 2021): ((a_c + b_c m)^p + sync^p)^(1/p), where sync is a_n + b_n (g - 2) on one node
// and a_m + b_m (g - 2) on several, by least squares on the logarithm.
Predict pollux(const Series& series, std::span<const Point> points);

}  // namespace hora::bench
