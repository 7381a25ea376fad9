// How long does a ring all-reduce take in which one rank is late once, and how long where the
// others go ahead without it? What is that to a step?
#include "libplanner/cost/late_rank.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "libplanner/cost/correction.hpp"
#include "libplanner/cost/exchange.hpp"

namespace hora::cost {
namespace {

Seconds ring_in_time(const LateRank& late) {
    return 2.0 * static_cast<double>(late.ranks - 1) * (late.handling + late.hop);
}

bool waits_for_ranks(const domain::Plan& plan) {
    return plan.members.size() >= 2 && plan.mode != domain::Mode::async;
}

// Of a plan with a ring.
Seconds bypassed(const domain::Plan& plan, Seconds lateness, double factor) {
    const std::uint64_t ranks = plan.members.size();
    const Seconds ring = ring_exchange(plan.exchange.bytes, ranks, plan.link) * factor;
    const LateRank late{.ranks = ranks,
                        .handling = ring / (2.0 * static_cast<double>(ranks - 1)),
                        .hop = Seconds(0),
                        .lateness = lateness};
    return ring_with_late_rank(late) - bypassing_ring(late, 1);
}

}  // namespace

Seconds ring_with_late_rank(const LateRank& late) {
    return ring_in_time(late) + late.lateness;
}

Seconds bypassing_ring(const LateRank& late, std::uint64_t addition) {
    const Seconds step = late.handling + late.hop;
    const auto ranks = static_cast<double>(late.ranks);
    const Seconds owners_addition = 4.0 / 3 * late.handling;
    const Seconds late_until = static_cast<double>(addition) * step + late.lateness;
    const Seconds others = ring_in_time(late) + std::min(late.lateness, owners_addition);
    const Seconds its_chunk = late_until + late.hop + owners_addition + (ranks - 1) * step;
    return std::min(ring_with_late_rank(late), std::max(others, its_chunk));
}

std::optional<LateStep> step_with_late_rank(const domain::Plan& plan, Seconds lateness,
                                            const PlannedExchange& exchange) {
    if (!waits_for_ranks(plan)) {
        return std::nullopt;
    }
    LateStep step;
    step.was_measured = exchange.was_measured;
    step.waiting = step.was_measured ? plan.step_seconds : plan.step_seconds + lateness;
    if (exchange.may_bypass && plan.exchange.kind == domain::Exchange::ring) {
        const Seconds saved = bypassed(plan, lateness, exchange.factor);
        if (saved > Seconds(0)) {
            step.bypassing = step.waiting - saved;
        }
    }
    return step;
}

std::optional<domain::Lateness> expected_lateness(const domain::Plan& plan,
                                                  std::optional<double> share, double factor) {
    if (!waits_for_ranks(plan) || share.value_or(0) < least_late_share) {
        return std::nullopt;
    }
    const Seconds waiting = *share * plan.step_seconds;
    const bool is_ring = plan.exchange.kind == domain::Exchange::ring;
    return domain::Lateness{.waiting = waiting,
                            .bypassed = is_ring ? bypassed(plan, waiting, factor) : Seconds(0)};
}

std::optional<domain::Lateness> expected_lateness(const domain::Plan& plan,
                                                  std::span<const domain::MeasuredSpeed> measured,
                                                  std::uint32_t uid, std::string_view model,
                                                  const domain::Cluster& cluster, double factor) {
    std::optional<domain::Lateness> lateness;
    for (std::size_t i = 0; waits_for_ranks(plan) && !lateness && i < plan.devices.size(); ++i) {
        const std::string& device = cluster.devices[plan.devices[i].device].name;
        lateness = expected_lateness(plan, late_share(measured, uid, model, device), factor);
    }
    return lateness;
}

}  // namespace hora::cost
