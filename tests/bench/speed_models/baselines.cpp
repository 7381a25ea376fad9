// How do others predict a step's time on a number of GPUs?
#include "tests/bench/speed_models/baselines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "libplanner/base/non_negative.hpp"

namespace hora::bench {
namespace {

constexpr double free_deviation = 1e3;  // so wide a prior that it says nothing

// A line between measured batches; beyond the largest in proportion, and below the smallest the
// line goes on, but not under the batch's part of its time.
double one_gpu_time(const Series& series, const Point& point) {
    std::vector<Point> known = series.one_gpu;
    std::sort(known.begin(), known.end(),
              [](const Point& a, const Point& b) { return a.local < b.local; });
    if (known.size() == 1) {
        return point.passes * known[0].step * point.local / known[0].local;
    }
    std::size_t high = 1;
    while (high + 1 < known.size() && known[high].local < point.local) {
        ++high;
    }
    const Point& a = known[high - 1];
    const Point& b = known[high];
    const double line = a.step + (b.step - a.step) * (point.local - a.local) / (b.local - a.local);
    const double least = known[0].step * std::min(1.0, point.local / known[0].local);
    return point.passes * std::max(line, least);
}

using Parameters = std::array<double, 7>;  // logarithms; the last of p - 1

double pollux_step(const Parameters& logs, const Point& point) {
    Parameters value;
    std::transform(logs.begin(), logs.end(), value.begin(),
                   [](double log) { return std::exp(std::clamp(log, -20.0, 10.0)); });
    const double power = 1 + std::min(9.0, value[6]);
    const double compute = value[0] + value[1] * point.local;
    const double further = point.gpus > 2 ? point.gpus - 2.0 : 0;
    const double sync = point.gpus == 1   ? 0
                        : point.nodes > 1 ? value[4] + value[5] * further
                                          : value[2] + value[3] * further;
    const double last = std::pow(std::pow(compute, power) + std::pow(sync, power), 1 / power);
    return (point.passes - 1) * compute + last;
}

double pollux_error(const Parameters& logs, const Parameters& guess,
                    std::span<const Point> points) {
    double sum = 0;
    for (const Point& point : points) {
        const double off = std::log(pollux_step(logs, point) / point.step);
        sum += off * off;
    }
    // What the points cannot show stays at the guess.
    double pull = 0;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        pull += (logs[i] - guess[i]) * (logs[i] - guess[i]);
    }
    return sum + 1e-6 * pull;
}

// Nelder and Mead's simplex, with their coefficients.
Parameters descend(const Parameters& start, const Parameters& guess,
                   std::span<const Point> points) {
    constexpr int rounds = 800;
    struct Corner {
        Parameters at;
        double error;
    };
    const auto corner = [&](const Parameters& at) {
        return Corner{at, pollux_error(at, guess, points)};
    };
    std::vector<Corner> simplex{corner(start)};
    for (std::size_t i = 0; i < start.size(); ++i) {
        Parameters moved = start;
        moved[i] += 1;
        simplex.push_back(corner(moved));
    }
    for (int round = 0; round < rounds; ++round) {
        std::sort(simplex.begin(), simplex.end(),
                  [](const Corner& a, const Corner& b) { return a.error < b.error; });
        Parameters middle{};
        for (std::size_t i = 0; i + 1 < simplex.size(); ++i) {
            for (std::size_t k = 0; k < middle.size(); ++k) {
                middle[k] += simplex[i].at[k] / static_cast<double>(simplex.size() - 1);
            }
        }
        const auto along = [&](double far) {
            Parameters at;
            for (std::size_t k = 0; k < at.size(); ++k) {
                at[k] = middle[k] + far * (simplex.back().at[k] - middle[k]);
            }
            return corner(at);
        };
        Corner next = along(-1);
        if (next.error < simplex.front().error) {
            const Corner further = along(-2);
            next = further.error < next.error ? further : next;
        } else if (next.error >= simplex[simplex.size() - 2].error) {
            next = along(next.error < simplex.back().error ? -0.5 : 0.5);
        }
        if (next.error < simplex.back().error) {
            simplex.back() = next;
            continue;
        }
        for (std::size_t i = 1; i < simplex.size(); ++i) {
            Parameters at;
            for (std::size_t k = 0; k < at.size(); ++k) {
                at[k] = (simplex[i].at[k] + simplex[0].at[k]) / 2;
            }
            simplex[i] = corner(at);
        }
    }
    return std::min_element(simplex.begin(), simplex.end(),
                            [](const Corner& a, const Corner& b) { return a.error < b.error; })
        ->at;
}

}  // namespace

Predict shared_ring_fixed(const Series&, std::span<const Point> points) {
    LeastSquares<3> rows;
    for (const Point& point : points) {
        const double g = point.gpus;
        rows.add({1 / g / point.step, (g - 1) / g / point.step, 1 / point.step}, 1);
    }
    for (std::size_t term = 0; term < 3; ++term) {
        rows.expect(term, 0, free_deviation * points[0].step);
    }
    const auto weights = solve_non_negative(rows).weights;
    return [weights](const Point& point) -> Predicted {
        const double g = point.gpus;
        return {weights[0] / g + weights[1] * (g - 1) / g + weights[2], 0};
    };
}

Predict one_gpu_and_ring(const Series& series, std::span<const Point> points) {
    LeastSquares<2> rows;
    for (const Point& point : points) {
        const double g = point.gpus;
        Weights<2> row{};
        row[point.nodes > 1] = (g - 1) / g / point.step;
        rows.add(row, 1 - one_gpu_time(series, point) / point.step);
    }
    for (std::size_t term = 0; term < 2; ++term) {
        rows.expect(term, 0, free_deviation * points[0].step);
    }
    auto weights = solve_non_negative(rows).weights;
    const bool are_spread = std::any_of(points.begin(), points.end(),
                                        [](const Point& point) { return point.nodes > 1; });
    weights[1] = are_spread ? weights[1] : weights[0];
    return [&series, weights](const Point& point) -> Predicted {
        const double g = point.gpus;
        return {one_gpu_time(series, point) + weights[point.nodes > 1] * (g - 1) / g, 0};
    };
}

Predict pollux(const Series&, std::span<const Point> points) {
    const double log_step = std::log(points[0].step);
    const double log_sample = std::log(points[0].step / (points[0].local * points[0].passes));
    const Parameters start{log_step - 3, log_sample, log_step - 3, log_step - 5, log_step - 3,
                           log_step - 5, 0};
    const Parameters best = descend(descend(start, start, points), start, points);
    return [best](const Point& point) -> Predicted { return {pollux_step(best, point), 0}; };
}

}  // namespace hora::bench
