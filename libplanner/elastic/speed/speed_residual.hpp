// What do measured sizes say of a curve beyond the terms that were fitted to it?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/elastic/speed/speed_sizes.hpp"

namespace hora::elastic {

// A Gaussian process over the logarithms of GPUs and nodes (kriging): what the fit leaves over at
// the measured sizes holds there but for the measurement's error, and fades with each doubling
// away, since a job that jumps at one size need not at another.
class SpeedResidual {
  public:
    // `fitted`: the seconds that the fit has for each of the sizes, in their order.
    SpeedResidual(std::span<const MeasuredSize> sizes, std::span<const double> fitted);

    struct Correction {
        double log = 0;        // to add to the logarithm of the fit's step
        double unknown = 1;    // share of the fit's variance that the measured sizes do not settle
        double deviation = 0;  // relative standard error of what the fit cannot express
    };
    // O(sizes^2).
    Correction at(std::uint32_t gpus, std::uint32_t nodes) const;

  private:
    void factorise();
    void solve_shares();

    std::vector<MeasuredSize> sizes_;
    std::vector<double> factor_;  // Cholesky's, by rows of the lower triangle
    std::vector<double> share_;   // of each size's kernel in the correction
    double variance_ = 0;         // of the residual far from every measured size
};

}  // namespace hora::elastic
