// What do measured sizes say of a curve beyond the terms that were fitted to it?
#include "libplanner/elastic/speed/speed_residual.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libplanner/base/cholesky.hpp"

namespace hora::elastic {
namespace {

// In doublings: how far a residual reaches.
constexpr double reach = 0.5;

double correlation(const MeasuredSize& one, std::uint32_t gpus, std::uint32_t nodes,
                   std::uint64_t batch) {
    return std::exp(-(doublings(one.gpus, gpus) + doublings(one.nodes, nodes) +
                      doublings(static_cast<double>(one.batch), static_cast<double>(batch))) /
                    reach);
}

double square(double value) {
    return value * value;
}

}  // namespace

SpeedResidual::SpeedResidual(std::span<const MeasuredSize> sizes, std::span<const double> fitted,
                             double least_error)
    : sizes_(sizes.begin(), sizes.end()), variance_(square(least_error)) {
    double squares = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        share_.push_back(std::log(sizes_[i].step / fitted[i]));
        squares += square(share_.back());
    }
    if (!sizes_.empty()) {
        variance_ = std::max(variance_, squares / static_cast<double>(sizes_.size()));
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        lower_.emplace_back(i + 1);
    }
    factorise(lower_, [&](std::size_t i, std::size_t j) {
        const double covariance =
            variance_ * correlation(sizes_[i], sizes_[j].gpus, sizes_[j].nodes, sizes_[j].batch);
        return covariance + (i == j ? square(sizes_[i].error) : 0);
    });
    solve_factorised(lower_, share_);
}

SpeedResidual::Correction SpeedResidual::at(std::uint32_t gpus, std::uint32_t nodes,
                                            std::uint64_t batch) const {
    const std::size_t count = sizes_.size();
    Correction result;
    double explained = 0;
    std::vector<double> solved(count);
    for (std::size_t i = 0; i < count; ++i) {
        solved[i] = variance_ * correlation(sizes_[i], gpus, nodes, batch);
        result.log += solved[i] * share_[i];
    }
    solve_forwards(lower_, solved);
    for (const double value : solved) {
        explained += square(value);
    }
    const double left = std::max(0.0, variance_ - explained);
    result.unknown = left / variance_;
    result.deviation = std::sqrt(left);
    return result;
}

}  // namespace hora::elastic
