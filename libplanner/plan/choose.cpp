// Which free GPUs should a job get, in which mode, and what else was weighed?
#include "libplanner/plan/choose.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "libplanner/cost/formats.hpp"
#include "libplanner/cost/memory.hpp"
#include "libplanner/cost/roofline.hpp"
#include "libplanner/cost/sampled_gradient.hpp"
#include "libplanner/cost/server.hpp"
#include "libplanner/plan/place.hpp"
#include "libplanner/plan/price/async.hpp"
#include "libplanner/plan/price/set_link.hpp"
#include "libplanner/plan/rejected.hpp"
#include "libplanner/plan/weigh.hpp"

namespace hora::plan {

namespace {

using domain::Mode;

std::vector<Kind> kinds_of(const domain::Plan& plan, const domain::Cluster& cluster) {
    return shape_of(cluster, gpus_of(plan.members));
}

// The member that finishes last decides; sync members are all priced at the largest share.
void break_down_together(domain::Plan& plan, Pricing& pricing) {
    const domain::Cluster& cluster = pricing.cluster();
    const Seconds exchange = pricing.exchange(exchanging(cluster, gpus_of(plan.members)));
    Price last{-1, 0};
    for (const domain::Member& member : plan.members) {
        const domain::Gpu& gpu = cluster.gpus[member.gpu];
        const std::uint64_t share =
            plan.mode == Mode::balanced ? member.share : pricing.share_of(plan.members.size());
        const Seconds time = pricing.step_time(gpu.device, share, exchange);
        const Seconds overhead = cluster.nodes[gpu.node].overhead;
        const Price price = pricing.price(time, overhead);
        if (price > last) {
            last = price;
            const Seconds compute = pricing.step(gpu.device, share).compute();
            plan.step_seconds = time;
            plan.breakdown = {compute, time - compute, overhead};
        }
    }
}

// A step of the whole batch at the rate of all members together.
void break_down_async(domain::Plan& plan, Pricing& pricing) {
    const domain::Cluster& cluster = pricing.cluster();
    const std::uint64_t share = pricing.share_of(plan.members.size());
    const std::vector<Kind> kinds = kinds_of(plan, cluster);
    const auto batch = static_cast<double>(pricing.request().batch);
    double undisturbed = 0;
    for (const Kind& kind : kinds) {
        undisturbed += kind.count * static_cast<double>(share) /
                       pricing.step(kind.device, share).compute().count();
    }
    plan.step_seconds = Seconds(batch / rate_of(pricing, kinds, share, plan.link));
    plan.breakdown.compute = Seconds(batch / undisturbed);
    plan.breakdown.exchange = plan.step_seconds - plan.breakdown.compute;
    for (const domain::Member& member : plan.members) {
        plan.breakdown.overhead = std::max(plan.breakdown.overhead,
                                           cluster.nodes[cluster.gpus[member.gpu].node].overhead);
    }
}

domain::ExchangeUse exchange_of(const domain::Plan& plan, const Pricing& pricing) {
    return {.kind = plan.mode == Mode::async ? domain::Exchange::server
                                             : pricing.exchange_kind(exchanging(
                                                   pricing.cluster(), gpus_of(plan.members))),
            .bytes = pricing.gradient(),
            .sample_rate = pricing.sample_rate()};
}

void place_on_rooflines(domain::Plan& plan, const Pricing& pricing) {
    const domain::Cluster& cluster = pricing.cluster();
    for (const Kind& kind : kinds_of(plan, cluster)) {
        std::uint64_t share = 0;
        for (const domain::Member& member : plan.members) {
            if (cluster.gpus[member.gpu].device == kind.device) {
                share = std::max(share, member.share);
            }
        }
        const domain::Workload& workload = pricing.request().workload;
        const domain::Device& device = cluster.devices[kind.device];
        const cost::Roofline roof = cost::roofline(workload, device, share);
        plan.devices.push_back({kind.device, roof.attainable, roof.bound,
                                cost::takes_tf32(workload, device),
                                cost::memory_needed(workload, share, pricing.request().cost)});
    }
}

void fill(domain::Plan& plan, Pricing& pricing, const FreeGpus& free, const Point& point) {
    plan.mode = point.mode;
    plan.members = place(pricing, free, point, Placing::thorough);
    if (plan.members.size() > 1) {
        plan.link = link_of(pricing.cluster(), gpus_of(plan.members));
    }
    if (plan.mode == Mode::async) {
        break_down_async(plan, pricing);
    } else {
        break_down_together(plan, pricing);
    }
    if (plan.members.size() > 1) {
        plan.exchange = exchange_of(plan, pricing);
    }
    if (pricing.request().steps()) {
        plan.seconds = Seconds(pricing.price(plan.step_seconds, plan.breakdown.overhead).time);
    }
    place_on_rooflines(plan, pricing);
}

domain::Plan priced_by(Pricing& pricing) {
    const domain::Request& request = pricing.request();
    domain::Plan plan;
    const FreeGpus free(pricing, request.layout);
    std::vector<Curve> curves = curves_of(pricing, free);
    apply_variance_rule(curves, pricing, free);
    const std::optional<Point> best = best_of(curves, request);
    if (best) {
        fill(plan, pricing, free, *best);
    }
    plan.rejected = rejected(pricing, free, curves, best, plan.members);
    return plan;
}

// What the rates are compared by.
double cost_of(const domain::Plan& plan, domain::Objective objective) {
    const double time = plan.length().count();
    return objective == domain::Objective::time ? time
                                                : time * static_cast<double>(plan.members.size());
}

// The highest first; all rows where the network has no table to sample.
std::vector<double> rates_of(const domain::Request& request) {
    if (!cost::can_sample(request.workload)) {
        return {1};
    }
    std::vector<double> rates;
    std::ranges::copy_if(sample_rates, std::back_inserter(rates), [&](double rate) {
        return rate >= request.min_sample_rate && rate <= request.max_sample_rate;
    });
    if (rates.empty()) {
        rates.push_back(request.max_sample_rate);
    }
    return rates;
}

domain::Plan best_rate_of(std::vector<domain::Plan> plans, const domain::Request& request,
                          const domain::Cluster& cluster) {
    const auto cost = [&](const domain::Plan& plan) { return cost_of(plan, request.objective); };
    const double least = cost(*std::ranges::min_element(plans, {}, cost));
    const auto best = std::ranges::find_if(plans, [&](const domain::Plan& plan) {
        return cost(plan) <= (1 + request.tolerance) * least;
    });
    domain::Plan chosen = std::move(*best);
    plans.erase(best);
    if (!plans.empty()) {
        add_other_rates(chosen, plans, cluster);
    }
    return chosen;
}

// What fits depends on the memory alone, not on the rate.
domain::Plan priced_with(const domain::Request& request, const domain::Cluster& cluster,
                         SearchLimit& limit, double memory) {
    std::vector<domain::Plan> plans;
    for (const double rate : rates_of(request)) {
        Pricing pricing(request, cluster, limit, {.memory = memory, .sample_rate = rate});
        plans.push_back(priced_by(pricing));
        if (!plans.back().fits()) {
            return std::move(plans.back());
        }
    }
    return best_rate_of(std::move(plans), request, cluster);
}

bool holds_more_by_most(const domain::Request& request, const domain::Cluster& cluster,
                        SearchLimit& limit) {
    const Pricing pricing(request, cluster, limit);
    const Pricing by_most(request, cluster, limit, {.memory = 1 + cost::memory_error});
    return by_most.holds_more_than(pricing);
}

domain::Plan search(const domain::Request& request, const domain::Cluster& cluster,
                    SearchLimit& limit) {
    if (request.batch == 0 || request.workload.layers.empty() || cluster.parts.empty()) {
        return {};
    }
    domain::Plan plan = priced_with(request, cluster, limit, 1);
    if (!plan.fits() && holds_more_by_most(request, cluster, limit)) {
        return priced_with(request, cluster, limit, 1 + cost::memory_error);
    }
    return plan;
}

}  // namespace

domain::Plan choose(const domain::Request& request, const domain::Cluster& cluster) {
    SearchLimit none;
    return search(request, cluster, none);
}

std::optional<domain::Plan> choose_within(SearchLimit& limit, const domain::Request& request,
                                          const domain::Cluster& cluster) {
    try {
        return search(request, cluster, limit);
    } catch (const SearchOver&) {
        return std::nullopt;
    }
}

}  // namespace hora::plan
