// How does Hora predict a step's time on a number of GPUs?
#pragma once

#include <span>

#include "libplanner/elastic/speed/speed_model.hpp"
#include "tests/bench/speed_models/baselines.hpp"

namespace hora::bench {

// From the gradient's size, links by their data sheets, and how much of the batch a device holds.
Predict hora_model(const Series& series, std::span<const Point> points,
                   const elastic::SpeedConstants& constants = {});

}  // namespace hora::bench
