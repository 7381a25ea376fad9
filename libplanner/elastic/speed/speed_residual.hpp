// What do measured sizes say of a curve beyond the terms that were fitted to it?
//
// Without it mean completion times are 3.3 % longer (95 % interval 2.4 to 4.6; Pollux's 12 traces,
// 384 simulations with learned knowledge), though makespans are 2.7 % shorter, and measured steps
// are met to 4.3 % in place of 1.5 % (median, tests/bench/speed_models). With the nearest size
// alone in place of all, mean completion times are 0.3 % longer (-0.1 to 0.8; 816 simulations), the
// 99th percentile 0.8 % (0.2 to 1.4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/elastic/speed/speed_sizes.hpp"

namespace hora::elastic {

// A Gaussian process over the logarithms of GPUs, nodes and batch (kriging): what the fit leaves
// over at the measured sizes holds there but for the measurement's error, and fades with each
// doubling away, since a job that jumps at one size need not at another.
class SpeedResidual {
  public:
    // `fitted`: the seconds that the fit has for each of the sizes, in their order. `least_error`:
    // relative standard error that it is thought to leave, at least.
    SpeedResidual(std::span<const MeasuredSize> sizes, std::span<const double> fitted,
                  double least_error = SpeedConstants().size_error);

    struct Correction {
        double log = 0;        // to add to the logarithm of the fit's step
        double unknown = 1;    // share of the fit's variance that the measured sizes do not settle
        double deviation = 0;  // relative standard error of what the fit cannot express
    };
    // O(sizes^2).
    Correction at(std::uint32_t gpus, std::uint32_t nodes, std::uint64_t batch = 0) const;

  private:
    std::vector<MeasuredSize> sizes_;
    std::vector<std::vector<double>> lower_;  // Cholesky's factor of the sizes' covariances
    std::vector<double> share_;               // of each size's kernel in the correction
    double variance_ = 0;                     // of the residual far from every measured size
};

}  // namespace hora::elastic
