// Can units of one part train the batch within a deadline, each at its own pace?
#include "libplanner/plan/price/field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hora::plan {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

std::uint64_t ceil_share(std::uint64_t samples, std::uint64_t units) {
    return samples / units + (samples % units != 0 ? 1 : 0);
}

// Of the `each` GPUs of a unit that manage most together, 0 if fewer of them manage a sample.
template <class LimitOf>
std::uint64_t Field::samples_of(const Shape& shape, std::uint32_t each, LimitOf limit_of) {
    if (shape.size() == 1) {
        return shape[0].count >= each ? limit_of(shape[0].device) * each : 0;
    }
    std::vector<Offer> offers;
    for (const Kind& kind : shape) {
        const std::uint64_t samples = limit_of(kind.device);
        if (samples > 0) {
            offers.push_back({samples, kind.count});
        }
    }
    std::sort(offers.begin(), offers.end(),
              [](const Offer& a, const Offer& b) { return a.samples > b.samples; });
    std::uint64_t total = 0;
    std::uint64_t left = each;
    for (const Offer& offer : offers) {
        const std::uint64_t taken = std::min(offer.units, left);
        total += offer.samples * taken;
        left -= taken;
    }
    return left == 0 ? total : 0;
}

std::vector<Field::Bidder> Field::bidders_of(const Pricing& pricing, const FreeGpus& free,
                                             const PartClass& part) {
    std::vector<Bidder> bidders;
    for (const Group& group : part.groups) {
        for (const Run& run : group.runs) {
            for (const Kind& kind : free.shapes()[group.shape]) {
                if (bidders.empty() ||
                    bidders.back().key() != std::pair(run.overhead, kind.device)) {
                    bidders.push_back(
                        {run.overhead, kind.device, pricing.all_shares(kind.device), 0});
                }
            }
        }
    }
    const auto by_key = [](const Bidder& a, const Bidder& b) { return a.key() < b.key(); };
    const auto is_same = [](const Bidder& a, const Bidder& b) { return a.key() == b.key(); };
    std::sort(bidders.begin(), bidders.end(), by_key);
    bidders.erase(std::unique(bidders.begin(), bidders.end(), is_same), bidders.end());
    return bidders;
}

Field::Field(Pricing& pricing, const FreeGpus& free, const LinkClasses& link, const PartClass& part)
    : pricing_(pricing),
      free_(free),
      link_(link),
      part_(part),
      bidders_(bidders_of(pricing, free, part)) {}

bool Field::may_keep(const Range& range, Price deadline) {
    const Seconds exchange = exchange_of(range);
    for (Bidder& bidder : bidders_) {
        bidder.limit = pricing_.share_within(deadline, bidder.device, bidder.overhead, exchange,
                                             bidder.samples);
    }
    return suffices(range);
}

double Field::smallest_time(const Range& size, double time) {
    const Seconds exchange = exchange_of(size);
    keep_below(time, exchange);
    for (;;) {
        const auto widest =
            std::max_element(bidders_.begin(), bidders_.end(),
                             [](const Bidder& a, const Bidder& b) { return a.gap() < b.gap(); });
        if (widest == bidders_.end() || widest->gap() == 0) {
            break;
        }
        const std::uint64_t middle = widest->samples.most - widest->gap() / 2;
        const double moment =
            pricing_.price(pricing_.step_time(widest->device, middle, exchange), widest->overhead)
                .time;
        if (may_keep(size, {moment, infinity})) {
            time = moment;
            keep_below(time, exchange);
        } else {
            for (Bidder& bidder : bidders_) {
                bidder.samples.least = bidder.limit;
            }
        }
    }
    for (Bidder& bidder : bidders_) {
        bidder.samples = pricing_.all_shares(bidder.device);
    }
    return time;
}

Seconds Field::exchange_of(const Range& range) const {
    return pricing_.exchange(link_.exchanging(range.first, range.each));
}

void Field::keep_below(double time, Seconds exchange) {
    const Price before{std::nextafter(time, 0.0), infinity};
    for (Bidder& bidder : bidders_) {
        bidder.samples.most =
            pricing_.share_within(before, bidder.device, bidder.overhead, exchange, bidder.samples);
    }
}

std::uint64_t Field::limit_of(std::uint32_t device, Seconds overhead) const {
    return std::lower_bound(
               bidders_.begin(), bidders_.end(), std::pair(overhead, device),
               [](const Bidder& bidder, const auto& key) { return bidder.key() < key; })
        ->limit;
}

bool Field::suffices(const Range& range) {
    offers_.clear();
    std::uint64_t able = 0;
    for (const Group& group : part_.groups) {
        const Shape& shape = free_.shapes()[group.shape];
        std::uint64_t before = 0;
        for (const Run& run : group.runs) {
            const std::uint64_t samples = samples_of(shape, range.each, [&](std::uint32_t device) {
                return limit_of(device, run.overhead);
            });
            if (samples == 0 || before >= range.last) {
                break;
            }
            offers_.push_back({samples, run.upto - before});
            able += run.upto - before;
            before = run.upto;
        }
    }
    return able >= range.first && holds_batch(range.last);
}

// The units that manage most, at most `left` of them.
bool Field::holds_batch(std::uint64_t left) {
    std::sort(offers_.begin(), offers_.end(),
              [](const Offer& a, const Offer& b) { return a.samples > b.samples; });
    std::uint64_t missing = pricing_.request().batch;
    for (const Offer& offer : offers_) {
        const std::uint64_t units = std::min(offer.units, left);
        if (offer.samples >= ceil_share(missing, units)) {
            return true;
        }
        missing -= offer.samples * units;
        left -= units;
        if (left == 0) {
            break;
        }
    }
    return false;
}

}  // namespace hora::plan
