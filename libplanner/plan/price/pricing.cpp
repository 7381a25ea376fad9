// What does one member of a set cost, and how do two costs compare?
#include "libplanner/plan/price/pricing.hpp"

#include <algorithm>
#include <cmath>

#include "libplanner/cost/formats.hpp"
#include "libplanner/cost/memory.hpp"

namespace hora::plan {

namespace {

constexpr Seconds never(std::numeric_limits<double>::infinity());

// A device of unknown speed is not priced.
bool can_train(const domain::Device& device, const domain::Workload& workload) {
    return device.peak_for(workload.data_type.value_or(domain::DataType::fp32)) > FlopRate(0) &&
           device.memory_bandwidth > Bandwidth(0) && cost::can_compute(workload, device);
}

}  // namespace

Price just_below(Price price) {
    return {price.time, std::nextafter(price.tie, -std::numeric_limits<double>::infinity())};
}

Pricing::Pricing(const domain::Request& request, const domain::Cluster& cluster, SearchLimit& limit,
                 const PricingTerms& terms)
    : request_(&request),
      cluster_(&cluster),
      limit_(&limit),
      has_steps_(request.steps().has_value()),
      steps_(static_cast<double>(request.steps().value_or(1))),
      sample_rate_(terms.sample_rate),
      counts_hierarchy_(request.accepts_hierarchy && request.layout == domain::Layout::uniform),
      sent_(cost::sent_gradient(request.workload, request.batch, terms.sample_rate)),
      gradient_(sent_.total()),
      steps_of_(cluster.devices.size()) {
    for (const domain::Device& device : cluster.devices) {
        largest_share_.push_back(can_train(device, request.workload)
                                     ? cost::largest_share(request.workload,
                                                           device.memory * terms.memory,
                                                           request.cost, request.batch)
                                     : 0);
    }
}

std::uint64_t Pricing::share_of(std::uint64_t members) const {
    return request_->batch / members + (request_->batch % members != 0 ? 1 : 0);
}

cost::PricedExchange Pricing::priced(Bytes size, const cost::Members& members) const {
    const domain::Exchange asked = request_->cost.exchange;
    return asked == domain::Exchange::automatic
               ? cost::cheapest_exchange(size, members, counts_hierarchy_)
               : cost::PricedExchange{asked, cost::exchange_time(asked, size, members)};
}

Seconds Pricing::exchange(const cost::Members& members) const {
    const Seconds words = sent_.words > Bytes(0) ? priced(sent_.words, members).time : Seconds(0);
    return (words + priced(gradient_, members).time) * request_->cost.exchange_factor;
}

domain::Exchange Pricing::exchange_kind(const cost::Members& members) const {
    return priced(gradient_, members).kind;
}

const cost::Step& Pricing::step(std::uint32_t device, std::uint64_t share) {
    Steps& known = steps_of_[device];
    if (!known.table) {
        known.table = std::make_shared<const cost::StepTable>(
            request_->workload, cluster_->devices[device], request_->cost, sent_);
        known.of_few.resize(std::min(few, request_->batch) + 1);
    }
    if (share < known.of_few.size()) {
        std::unique_ptr<const cost::Step>& step = known.of_few[share];
        if (!step) {
            step = std::make_unique<const cost::Step>(known.table, share);
        }
        return *step;
    }
    const auto at = known.of_many.find(share);
    if (at != known.of_many.end()) {
        return at->second;
    }
    return known.of_many.emplace(share, cost::Step(known.table, share)).first->second;
}

Seconds Pricing::step_time(std::uint32_t device, std::uint64_t share, Seconds exchange) {
    if (share > largest_share_[device]) {
        return never;
    }
    std::optional<Timed>& last = steps_of_[device].timed;
    if (!last || last->share != share || last->exchange != exchange) {
        last = {share, exchange, step(device, share).time(exchange)};
    }
    return last->time;
}

Seconds Pricing::step_time_at_least(std::uint32_t device, std::uint64_t share, Seconds exchange) {
    return share <= largest_share_[device] ? step(device, share).at_least(exchange) : never;
}

std::vector<Seconds> Pricing::step_times(std::uint64_t share, Seconds exchange) {
    std::vector<Seconds> times;
    for (std::uint32_t device = 0; device < cluster_->devices.size(); ++device) {
        times.push_back(step_time(device, share, exchange));
    }
    return times;
}

std::uint64_t Pricing::share_within(Price deadline, std::uint32_t device, Seconds overhead,
                                    Seconds exchange, ShareRange range) {
    const Question question{deadline, overhead, exchange, range};
    if (steps_of_[device].asked == question) {
        return steps_of_[device].answer;
    }
    while (range.least < range.most) {
        const std::uint64_t middle = range.most - (range.most - range.least) / 2;
        const bool is_in_time = price(step(device, middle).time(exchange), overhead) <= deadline;
        if (is_in_time) {
            range.least = middle;
        } else {
            range.most = middle - 1;
        }
    }
    steps_of_[device].asked = question;
    steps_of_[device].answer = range.least;
    return range.least;
}

}  // namespace hora::plan
