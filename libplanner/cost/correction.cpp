// By how much do measurements correct the cost model for one user's job?
#include "libplanner/cost/correction.hpp"

#include <algorithm>
#include <cmath>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/base/median.hpp"
#include "libplanner/base/non_negative.hpp"

namespace hora::cost {
namespace {

// How far either factor is thought to be from 1, and how exact a size's median is.
constexpr double factor_deviation = 1;
constexpr double size_error = 0.05;

// The user's own runs of the model on the device count; only where there are none, what several
// users agree on.
std::vector<const domain::MeasuredSpeed*> relevant(std::span<const domain::MeasuredSpeed> measured,
                                                   std::uint32_t uid, std::string_view model,
                                                   std::string_view device) {
    std::vector<const domain::MeasuredSpeed*> own;
    std::vector<const domain::MeasuredSpeed*> shared;
    for (const domain::MeasuredSpeed& speed : measured) {
        if (speed.model != model || !is_same_word(speed.device, device)) {
            continue;
        }
        if (!speed.uid) {
            shared.push_back(&speed);
        } else if (*speed.uid == uid) {
            own.push_back(&speed);
        }
    }
    return own.empty() ? shared : own;
}

bool exchanged(const domain::MeasuredSpeed* speed) {
    return speed->exchange_share > 0;
}

double within_bounds(double factor) {
    return std::clamp(factor, 1 / largest_correction, largest_correction);
}

}  // namespace

// measured / predicted = x_compute (1 - share) + x_exchange share
std::optional<domain::Correction> correction_of(std::span<const domain::MeasuredSpeed> measured,
                                                std::uint32_t uid, std::string_view model,
                                                std::string_view device) {
    domain::Correction correction;
    LeastSquares<2> rows;
    rows.expect(0, 1, factor_deviation);
    rows.expect(1, 1, factor_deviation);
    for (const domain::MeasuredSpeed* const speed : relevant(measured, uid, model, device)) {
        const double weight = 1 / (size_error * speed->ratio);
        rows.add({(1 - speed->exchange_share) * weight, speed->exchange_share * weight},
                 speed->ratio * weight);
        correction.runs += speed->runs;
        correction.users = speed->uid ? 0 : std::max(correction.users, speed->users);
    }
    if (correction.runs == 0) {
        return std::nullopt;
    }
    const auto factors = solve_non_negative(rows).weights;
    correction.compute = within_bounds(factors[0]);
    correction.exchange = within_bounds(factors[1]);
    return correction;
}

bool has_exchanged(std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                   std::string_view model, const domain::Cluster& cluster) {
    return std::ranges::any_of(cluster.devices, [&](const domain::Device& device) {
        return std::ranges::any_of(relevant(measured, uid, model, device.name), exchanged);
    });
}

std::optional<double> late_share(std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                                 std::string_view model, std::string_view device) {
    std::vector<double> shares;
    for (const domain::MeasuredSpeed* const speed : relevant(measured, uid, model, device)) {
        if (speed->uid && speed->late) {
            shares.push_back(*speed->late);
        }
    }
    return shares.empty() ? std::nullopt : std::optional(median(shares));
}

Corrections corrections_of(std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                           std::string_view model, const domain::Cluster& cluster) {
    Corrections corrections;
    for (const domain::Device& device : cluster.devices) {
        corrections.push_back(correction_of(measured, uid, model, device.name));
    }
    return corrections;
}

Overheads overheads_of(std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                       std::string_view model, const domain::Cluster& cluster) {
    Overheads overheads;
    for (const domain::Device& device : cluster.devices) {
        std::vector<Seconds> known;
        for (const domain::MeasuredSpeed* const speed :
             relevant(measured, uid, model, device.name)) {
            if (speed->overhead) {
                known.push_back(*speed->overhead);
            }
        }
        overheads.push_back(known.empty() ? std::nullopt : std::optional(median(known)));
    }
    return overheads;
}

void apply(const Overheads& overheads, domain::Cluster& cluster) {
    for (const domain::Gpu& gpu : cluster.gpus) {
        if (gpu.device < overheads.size() && overheads[gpu.device]) {
            cluster.nodes[gpu.node].overhead = *overheads[gpu.device];
        }
    }
}

void apply(const Corrections& corrections, domain::Cluster& cluster) {
    for (std::size_t i = 0; i < std::min(corrections.size(), cluster.devices.size()); ++i) {
        if (!corrections[i]) {
            continue;
        }
        domain::Device& device = cluster.devices[i];
        for (FlopRate& peak : device.peak) {
            peak = peak / corrections[i]->compute;
        }
        device.memory_bandwidth = device.memory_bandwidth / corrections[i]->compute;
        device.efficiency.layer = device.efficiency.layer * corrections[i]->compute;
        device.efficiency.step = device.efficiency.step * corrections[i]->compute;
    }
}

double exchange_factor(const Corrections& corrections,
                       std::span<const domain::MeasuredSpeed> measured, std::uint32_t uid,
                       std::string_view model, const domain::Cluster& cluster) {
    double factor = 1;
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < corrections.size(); ++i) {
        std::uint32_t runs = 0;
        for (const domain::MeasuredSpeed* const speed :
             relevant(measured, uid, model, cluster.devices[i].name)) {
            runs += exchanged(speed) ? speed->runs : 0;
        }
        if (corrections[i] && runs > most) {
            most = runs;
            factor = corrections[i]->exchange;
        }
    }
    return factor;
}

}  // namespace hora::cost
