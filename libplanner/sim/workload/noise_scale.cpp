// Which gradient noise scale does an application have, by the steps that each of its batches needs?
#include "libplanner/sim/workload/noise_scale.hpp"

#include "libplanner/domain/progress.hpp"

namespace hora::sim {

double noise_scale_of(std::span<const domain::TrueSpeed> speeds,
                      const std::vector<domain::BatchSpeed>& range) {
    constexpr auto most = static_cast<double>(domain::largest_noise_scale);
    // Of S = a + c m, with weights 1 / S^2.
    double ones = 0;
    double batches = 0;
    double squares = 0;
    double samples = 0;
    double products = 0;
    for (const domain::BatchSpeed& known : range) {
        const auto batch = static_cast<double>(known.batch);
        const double needed = batch * speeds[known.speed].steps;
        ones += 1 / (needed * needed);
        batches += batch / (needed * needed);
        squares += batch * batch / (needed * needed);
        samples += 1 / needed;
        products += batch / needed;
    }
    const double base = squares * samples - batches * products;
    const double slope = ones * products - batches * samples;
    return slope > 0 && base > 0 && base < most * slope ? base / slope : most;
}

}  // namespace hora::sim
