// By how much do measurements correct the cost model for one user's job?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/measured.hpp"
#include "libplanner/domain/request.hpp"

namespace hora::cost {

// No owner's reports move a prediction further than by this factor.
constexpr double largest_correction = 8;

// Factors of computation and exchange that meet the measured steps best, by non-negative least
// squares with both thought to be 1. The user's own runs of the model on the device count; only
// where there are none, what several users agree on. Empty: nothing was measured. `model` is a
// key (measured_table.hpp).
std::optional<domain::Correction> correction_of(std::span<const domain::MeasuredSpeed> measured,
                                                std::uint32_t uid, std::string_view model,
                                                std::string_view device);

// Whether ranks exchanged in any of the runs that correct the cluster's devices.
bool has_exchanged(std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                   std::string_view model, const domain::Cluster& cluster);

// Of a step, 0 … 1: what the user's own runs of the model on the device waited for late ranks, the
// median over the sizes. Empty: none has recorded it.
std::optional<double> late_share(std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                                 std::string_view model, std::string_view device);

// By index of Cluster::devices.
using Corrections = std::vector<std::optional<domain::Correction>>;
Corrections corrections_of(std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                           std::string_view model, const domain::Cluster& cluster);

// P1's overhead of one user's job on each device, by the same runs: the median over the sizes.
using Overheads = std::vector<std::optional<Seconds>>;
Overheads overheads_of(std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                       std::string_view model, const domain::Cluster& cluster);

// Takes the place of what is known of the nodes, which is of all models.
void apply(const Overheads& overheads, domain::Cluster& cluster);

// A device that takes k times as long has both its roofs k times as low.
void apply(const Corrections& corrections, domain::Cluster& cluster);

// The exchange has one factor for all devices: that of the one on which the most runs exchanged; 1
// where none has. `corrections`: by the same runs.
double exchange_factor(const Corrections& corrections,
                       std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                       std::string_view model, const domain::Cluster& cluster);

}  // namespace hora::cost
