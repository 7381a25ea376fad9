// How long does a ring all-reduce take in which one rank is late once, and how long where the
// others go ahead without it? What is that to a step?
#include "libplanner/cost/late_rank.hpp"

#include <algorithm>

#include "libplanner/cost/exchange.hpp"

namespace hora::cost {
namespace {

Seconds ring_in_time(const LateRank& late) {
    return 2.0 * static_cast<double>(late.ranks - 1) * (late.handling + late.hop);
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
    const std::uint64_t ranks = plan.members.size();
    if (ranks < 2 || plan.mode == domain::Mode::async) {
        return std::nullopt;
    }
    LateStep step;
    step.was_measured = exchange.was_measured;
    step.waiting = step.was_measured ? plan.step_seconds : plan.step_seconds + lateness;
    if (exchange.may_bypass && plan.exchange.kind == domain::Exchange::ring) {
        const Seconds ring = ring_exchange(plan.exchange.bytes, ranks, plan.link) * exchange.factor;
        const LateRank late{.ranks = ranks,
                            .handling = ring / (2.0 * static_cast<double>(ranks - 1)),
                            .hop = Seconds(0),
                            .lateness = lateness};
        const Seconds saved = ring_with_late_rank(late) - bypassing_ring(late, 1);
        if (saved > Seconds(0)) {
            step.bypassing = step.waiting - saved;
        }
    }
    return step;
}

}  // namespace hora::cost
