// How does Hora predict a step's time on a number of GPUs?
#pragma once

#include <optional>
#include <span>

#include "libplanner/elastic/speed/speed_model.hpp"
#include "tests/bench/speed_models/baselines.hpp"

namespace hora::bench {

// From the gradient's size, links by their data sheets, and how much of the batch a device holds;
// exchanges between nodes are expected to be slower than that by so much.
Predict hora_model(const Series& series, std::span<const Point> points,
                   const elastic::SlowDown& slow_down,
                   const elastic::SpeedConstants& constants = {});

// What points show of that by themselves.
std::optional<elastic::SlowDown> shown_slow_down(const Series& series,
                                                 std::span<const Point> points,
                                                 const elastic::SpeedConstants& constants);

}  // namespace hora::bench
