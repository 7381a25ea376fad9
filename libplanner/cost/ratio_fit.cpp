// Which ratio of two rates, and which scale of both, meet measured times best?
#include "libplanner/cost/ratio_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libplanner/base/non_negative.hpp"

namespace hora::cost {
namespace {

using Shape = std::function<Seconds(std::size_t, double)>;

struct Candidate {
    double ratio = 0;
    double scale = 0;
    Seconds offset;
    double residual = 0;
};

// Least squares of 1 - (offset + scale * shape) / measured: relative, so that a short run counts as
// much as a long one. An offset below 0 says that there is none.
Candidate best_scale(const std::vector<Seconds>& measured, const Shape& shape, double ratio,
                     Offset offset) {
    LeastSquares<2> rows;
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const double share = shape(i, ratio) / measured[i];
        sum += share;
        squares += share * share;
        rows.add({share, 1 / measured[i].count()}, 1);
    }
    Candidate best{ratio, sum / squares, {}, 0};
    if (offset == Offset::fitted) {
        const auto weights = solve_non_negative(rows).weights;
        // Not where the rows are all alike: then neither is a number.
        if (weights[0] > 0 && weights[1] > 0) {
            best.scale = weights[0];
            best.offset = Seconds(weights[1]);
        }
    }
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const double off =
            1 - best.offset / measured[i] - best.scale * (shape(i, ratio) / measured[i]);
        best.residual += off * off;
    }
    best.residual = std::sqrt(best.residual / static_cast<double>(measured.size()));
    return best;
}

}  // namespace

RatioFit fit_ratio(const std::vector<Seconds>& measured, const Shape& shape, double low,
                   double high, double assumed, Offset offset) {
    // A first pass over the whole range in steps of 2 %, then finer and finer around the best.
    constexpr double first_factor = 1.02;
    constexpr double tie = 1e-6;
    constexpr double nearly = 0.01;
    std::vector<Candidate> candidates{best_scale(measured, shape, assumed, offset)};
    for (double ratio = low; ratio <= high; ratio *= first_factor) {
        candidates.push_back(best_scale(measured, shape, ratio, offset));
    }
    const auto distance = [&](const Candidate& one) {
        return std::abs(std::log(one.ratio / assumed));
    };
    const Candidate least = *std::ranges::min_element(candidates, {}, &Candidate::residual);
    Candidate best = least;
    for (const Candidate& candidate : candidates) {
        const bool is_as_good = candidate.residual < least.residual + tie;
        best = is_as_good && distance(candidate) < distance(best) ? candidate : best;
    }
    for (double factor = first_factor; factor > 1 + 1e-9; factor = std::sqrt(factor)) {
        for (const double ratio : {best.ratio / factor, best.ratio * factor}) {
            const Candidate finer =
                best_scale(measured, shape, std::clamp(ratio, low, high), offset);
            best = finer.residual < best.residual ? finer : best;
        }
    }
    RatioFit fit{best.ratio, best.scale, best.offset, best.residual, {{best.ratio, best.scale}}};
    for (const Candidate& candidate : candidates) {
        if (candidate.residual <= best.residual + nearly) {
            fit.near.push_back({candidate.ratio, candidate.scale});
        }
    }
    return fit;
}

}  // namespace hora::cost
