// Which ratio of two rates, and which scale of both, meet measured times best?
#pragma once

#include <functional>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::cost {

// Both a roofline and an exchange take a time of the form scale * shape(ratio): two rates in a
// fixed ratio, both k times as high, take 1/k of the time. So the scale follows in closed form, and
// only the ratio has to be searched.
struct RatioFit {
    double ratio = 0;
    double scale = 0;
    Seconds offset;       // added to each time, whatever the ratio; 0 where none was fitted
    double residual = 0;  // root mean square of (predicted - measured) / measured

    // Every (ratio, scale) that is nearly as good: residual within one per cent of the best.
    struct Near {
        double ratio;
        double scale;
    };
    std::vector<Near> near;
};

// Whether each time may hold a part that is the same in all: three measurements tell it.
enum class Offset { none, fitted };

// shape(measurement, ratio): the time at scale 1, above 0. The ratio is searched between low and
// high; of equally good ones the nearest to `assumed` is taken.
RatioFit fit_ratio(const std::vector<Seconds>& measured,
                   const std::function<Seconds(std::size_t, double)>& shape, double low,
                   double high, double assumed, Offset offset);

}  // namespace hora::cost
