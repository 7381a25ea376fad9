// Which ratio of two rates, and which scale of both, meet measured times best?
#include "libplanner/cost/ratio_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hora::cost {
namespace {

using Shape = std::function<Seconds(std::size_t, double)>;

struct Candidate {
    double ratio = 0;
    double scale = 0;
    double residual = 0;
};

// Least squares of 1 - scale * shape / measured: relative, so that a short run counts as much as a
// long one.
Candidate best_scale(const std::vector<Seconds>& measured, const Shape& shape, double ratio) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const double share = shape(i, ratio) / measured[i];
        sum += share;
        squares += share * share;
    }
    const double scale = sum / squares;
    double residual = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const double off = 1 - scale * (shape(i, ratio) / measured[i]);
        residual += off * off;
    }
    return {ratio, scale, std::sqrt(residual / static_cast<double>(measured.size()))};
}

}  // namespace

RatioFit fit_ratio(const std::vector<Seconds>& measured, const Shape& shape, double low,
                   double high, double assumed) {
    // A first pass over the whole range in steps of 2 %, then finer and finer around the best.
    constexpr double first_factor = 1.02;
    constexpr double tie = 1e-6;
    constexpr double nearly = 0.01;
    std::vector<Candidate> candidates{best_scale(measured, shape, assumed)};
    for (double ratio = low; ratio <= high; ratio *= first_factor) {
        candidates.push_back(best_scale(measured, shape, ratio));
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
            const Candidate finer = best_scale(measured, shape, std::clamp(ratio, low, high));
            best = finer.residual < best.residual ? finer : best;
        }
    }
    RatioFit fit{best.ratio, best.scale, best.residual, {{best.ratio, best.scale}}};
    for (const Candidate& candidate : candidates) {
        if (candidate.residual <= best.residual + nearly) {
            fit.near.push_back({candidate.ratio, candidate.scale});
        }
    }
    return fit;
}

}  // namespace hora::cost
