// How does Hora predict a step's time on a number of GPUs?
#include "tests/bench/speed_models/hora_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

namespace hora::bench {
namespace {

// Of the computation it is only known that it is shared out: its level is measured.
struct Physics {
    std::vector<Seconds> compute;
    std::vector<Seconds> exchange;
    std::vector<Seconds> between;
    std::vector<Seconds> hiding;
};

Physics physics_of(const Series& series) {
    double largest = 0;
    for (const Point& point : series.one_gpu) {
        largest = std::max(largest, point.local);
    }
    std::uint32_t most_gpus = 1;
    for (const Point& point : series.all) {
        most_gpus = std::max(most_gpus, point.gpus);
    }
    Physics physics;
    for (std::uint32_t gpus = 1; gpus <= most_gpus; ++gpus) {
        const double g = gpus;
        const double bytes = 2 * series.gradient * (g - 1) / g;
        const double passes = std::max(1.0, std::ceil(series.batch / g / largest - 1e-9));
        physics.compute.emplace_back(1 / g);
        physics.exchange.emplace_back(bytes / series.inside);
        physics.between.emplace_back(bytes / series.between);
        physics.hiding.emplace_back(0.5 / g / passes);
    }
    return physics;
}

std::vector<elastic::SpeedPoint> timed(std::span<const Point> points) {
    std::vector<elastic::SpeedPoint> speeds;
    for (const Point& point : points) {
        speeds.push_back({point.gpus, point.nodes, Seconds(point.step), 1000});
    }
    return speeds;
}

elastic::SpeedPrior prior_of(const Physics& physics, std::uint32_t gpus_per_node,
                             const elastic::SlowDown& slow_down) {
    return {.compute = physics.compute,
            .exchange = physics.exchange,
            .gpus_per_node = gpus_per_node,
            .between = physics.between,
            .hiding = physics.hiding,
            .slow_down = slow_down};
}

}  // namespace

Predict hora_model(const Series& series, std::span<const Point> points,
                   const elastic::SlowDown& slow_down, const elastic::SpeedConstants& constants) {
    const Physics physics = physics_of(series);
    const std::vector<elastic::SpeedPoint> speeds = timed(points);
    // The curve is of packed jobs: one for each number of GPUs a node.
    auto curves = std::make_shared<std::map<std::uint32_t, elastic::SpeedCurve>>();
    return [=](const Point& point) -> Predicted {
        const std::uint32_t of_node = (point.gpus + point.nodes - 1) / point.nodes;
        const auto [curve, is_new] = curves->try_emplace(of_node);
        if (is_new) {
            curve->second =
                elastic::fit_speed(prior_of(physics, of_node, slow_down), speeds, constants);
        }
        return {curve->second.step[point.gpus - 1].count(),
                curve->second.uncertainty[point.gpus - 1]};
    };
}

std::optional<elastic::SlowDown> shown_slow_down(const Series& series,
                                                 std::span<const Point> points,
                                                 const elastic::SpeedConstants& constants) {
    const Physics physics = physics_of(series);
    return elastic::fit_speed(prior_of(physics, series.gpus_per_node, {}), timed(points), constants)
        .shown_slow_down;
}

}  // namespace hora::bench
