// What do measured sizes say of a curve beyond the terms that were fitted to it?
#include "libplanner/elastic/speed/speed_residual.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

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
    factorise();
    solve_shares();
}

void SpeedResidual::factorise() {
    const std::size_t count = sizes_.size();
    factor_.assign(count * count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = variance_ *
                         correlation(sizes_[i], sizes_[j].gpus, sizes_[j].nodes, sizes_[j].batch);
            sum += i == j ? square(sizes_[i].error) : 0;
            for (std::size_t k = 0; k < j; ++k) {
                sum -= factor_[i * count + k] * factor_[j * count + k];
            }
            factor_[i * count + j] = i == j ? std::sqrt(sum) : sum / factor_[j * count + j];
        }
    }
}

// Forwards and backwards through the triangles.
void SpeedResidual::solve_shares() {
    const std::size_t count = sizes_.size();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            share_[i] -= factor_[i * count + k] * share_[k];
        }
        share_[i] /= factor_[i * count + i];
    }
    for (std::size_t i = count; i-- > 0;) {
        for (std::size_t k = i + 1; k < count; ++k) {
            share_[i] -= factor_[k * count + i] * share_[k];
        }
        share_[i] /= factor_[i * count + i];
    }
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
        for (std::size_t k = 0; k < i; ++k) {
            solved[i] -= factor_[i * count + k] * solved[k];
        }
        solved[i] /= factor_[i * count + i];
        explained += square(solved[i]);
    }
    const double left = std::max(0.0, variance_ - explained);
    result.unknown = left / variance_;
    result.deviation = std::sqrt(left);
    return result;
}

}  // namespace hora::elastic
