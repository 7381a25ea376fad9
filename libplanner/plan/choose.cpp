// Which free GPUs should a job get, in which mode, and what else was weighed?
#include "libplanner/plan/choose.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <list>
#include <span>
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

// What the rules of the request leave at one rate of sampling.
class AtRate {
  public:
    AtRate(const domain::Request& request, const domain::Cluster& cluster, SearchLimit& limit,
           const PricingTerms& terms)
        : pricing_(request, cluster, limit, terms),
          free_(pricing_, request.layout),
          curves_(curves_of(pricing_, free_)) {
        apply_variance_rule(curves_, pricing_, free_);
        left_ = left_of(curves_);
    }

    std::span<const Point> left() const { return left_; }

    domain::Plan plan_with(const std::optional<Point>& point) {
        domain::Plan plan;
        if (point) {
            fill(plan, pricing_, free_, *point);
        }
        plan.rejected = rejected(pricing_, free_, curves_, point, plan.members);
        return plan;
    }

  private:
    Pricing pricing_;
    FreeGpus free_;
    std::vector<Curve> curves_;
    std::vector<Point> left_;
};

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

// Of the best points of the rates, the highest rate first, that of the rate to take.
std::size_t rate_to_take(std::span<const Point> bests, double limit,
                         const domain::Request& request) {
    double most = std::numeric_limits<double>::infinity();  // GPU-seconds
    if (request.objective == domain::Objective::efficiency) {
        for (const Point& best : bests) {
            most = best.price.time <= limit ? std::min(most, gpu_seconds(best)) : most;
        }
        most *= 1 + request.tolerance;
    }
    const auto taken = std::ranges::find_if(bests, [&](const Point& best) {
        return best.price.time <= limit && gpu_seconds(best) <= most;
    });
    return static_cast<std::size_t>(taken - bests.begin());
}

domain::Plan best_rate_of(std::list<AtRate>& rates, const domain::Request& request,
                          const domain::Cluster& cluster) {
    double fastest = std::numeric_limits<double>::infinity();
    for (const AtRate& rate : rates) {
        fastest = std::min(fastest, fastest_of(rate.left())->price.time);
    }
    std::vector<Point> bests;
    std::vector<domain::Plan> plans;
    for (AtRate& rate : rates) {
        bests.push_back(*best_of(rate.left(), request, fastest));
        plans.push_back(rate.plan_with(bests.back()));
    }
    const auto taken = plans.begin() + static_cast<std::ptrdiff_t>(rate_to_take(
                                           bests, slowest_allowed(request, fastest), request));
    domain::Plan chosen = std::move(*taken);
    plans.erase(taken);
    if (!plans.empty()) {
        add_other_rates(chosen, plans, request, cluster);
    }
    return chosen;
}

// What fits depends on the memory alone, not on the rate.
domain::Plan priced_with(const domain::Request& request, const domain::Cluster& cluster,
                         SearchLimit& limit, double memory) {
    std::list<AtRate> rates;  // what each holds refers to its own pricing
    for (const double rate : rates_of(request)) {
        rates.emplace_back(request, cluster, limit,
                           PricingTerms{.memory = memory, .sample_rate = rate});
        if (rates.back().left().empty()) {
            return rates.back().plan_with({});
        }
    }
    return best_rate_of(rates, request, cluster);
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
