// What is a job's step thought to take on each number of GPUs, by the one plan that was made of it?
#include "libplanner/elastic/speed/speed_prior.hpp"

#include <algorithm>
#include <string>

#include "libplanner/cost/exchange.hpp"

namespace hora::elastic {
namespace {

// Of one GPU's step: the least of the range that P5 draws the ring's part from, since too good a
// guess is mended by the first measurement, and for too bad a one nothing is ever tried.
constexpr double usual_ring_part = 0.1;

double ring_share(double gpus) {
    return (gpus - 1) / gpus;
}

// What an exchange over all GPUs takes with more of them than the plan has, where the planner
// priced one: a plan within a node knows nothing of the links between nodes.
Seconds whole_ring_beyond(const domain::Decision& decision, Seconds alone) {
    if (decision.uses.size() != 1 || !(decision.seconds.value_or(Seconds(1)) > Seconds(0))) {
        return Seconds(0);
    }
    const domain::Alternative* next = nullptr;
    for (const domain::Alternative& other : decision.rejected) {
        const bool is_beyond =
            other.mode == domain::Mode::sync && other.seconds && other.gpus > decision.gpus &&
            other.where.find(" x " + decision.uses.front().type + " ") != std::string::npos;
        if (is_beyond && (next == nullptr || other.gpus < next->gpus)) {
            next = &other;
        }
    }
    if (next == nullptr) {
        return Seconds(0);
    }
    const Seconds step = decision.seconds
                             ? decision.step_seconds * (*next->seconds / *decision.seconds)
                             : *next->seconds;
    return (step - alone / next->gpus) / ring_share(next->gpus);
}

// Of what an exchange takes between the nodes of a plan that has several.
double part_inside_a_node(const domain::Decision& decision, const std::optional<NodeLinks>& links) {
    if (!links || decision.nodes < 2 || decision.gpus < 2) {
        return 1;
    }
    const Bytes size = decision.exchange.bytes;
    const Seconds between = cost::ring_exchange(size, decision.gpus, links->between);
    const Seconds inside = cost::ring_exchange(size, decision.gpus, links->inside);
    return size > Bytes(0) && between > inside ? inside / between : 1;
}

}  // namespace

PlannedSpeed planned_speed(const domain::Decision& decision, std::uint32_t max_gpus,
                           std::uint32_t gpus_per_node, const std::optional<NodeLinks>& links) {
    const bool is_known =
        decision.has_plan && decision.gpus > 0 && decision.breakdown.compute > Seconds(0);
    const double planned = is_known ? decision.gpus : 1;
    const Seconds alone = is_known ? decision.breakdown.compute * planned : Seconds(1);
    // A plan for one GPU has nothing to exchange and says nothing of it.
    const Seconds whole_ring =
        planned > 1 ? decision.breakdown.exchange / ring_share(planned) : alone * usual_ring_part;
    const Seconds beyond =
        is_known ? std::max(whole_ring, whole_ring_beyond(decision, alone)) : whole_ring;
    const double inside = part_inside_a_node(decision, links);
    PlannedSpeed speed;
    for (std::uint32_t gpus = 1; gpus <= std::max(max_gpus, 1U); ++gpus) {
        speed.compute.push_back(alone / gpus);
        const double part = gpus <= gpus_per_node ? inside : 1;
        speed.exchange.push_back((gpus > planned ? beyond : whole_ring) * ring_share(gpus) * part);
        speed.hiding.emplace_back(0);
        // What is a guess for one node is none for several: too bad a one is never mended.
        if (planned > 1 && beyond > Seconds(0)) {
            speed.between.push_back(beyond * ring_share(gpus));
        }
    }
    return speed;
}

SpeedCurve seen_speed(const domain::Decision& decision, std::uint32_t max_gpus,
                      std::uint32_t gpus_per_node, std::span<const SpeedPoint> points,
                      const SlowDown& slow_down, const std::optional<NodeLinks>& links,
                      const std::optional<BatchRange>& batches) {
    const PlannedSpeed planned = planned_speed(decision, max_gpus, gpus_per_node, links);
    SpeedPrior prior = planned.prior(gpus_per_node, slow_down);
    prior.batches = batches;
    return fit_speed(prior, points);
}

}  // namespace hora::elastic
