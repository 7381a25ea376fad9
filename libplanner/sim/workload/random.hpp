// Which numbers does a seed draw? The same ones with every compiler and library.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "libplanner/base/mixed.hpp"

namespace hora::sim {

// SplitMix64 (Steele, Lea and Flood, 2014). The standard library's distributions differ from one
// library to the next.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        return mixed(state_);
    }
    // In [0, 1).
    double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
    double between(double low, double high) { return low + (high - low) * unit(); }
    // From 0 to count - 1; the bias of count / 2^64 is of no account.
    std::uint64_t below(std::uint64_t count) { return next() % count; }
    double exponential(double mean) { return -mean * std::log(1 - unit()); }
    // Mean 0, standard deviation 1 (Box and Muller).
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - unit()));
        return radius * std::cos(2 * std::numbers::pi * unit());
    }

  private:
    std::uint64_t state_;
};

}  // namespace hora::sim
