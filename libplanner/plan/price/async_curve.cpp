// Mode async: what does the best set of each size cost, without searching each part?
//
// Two short cuts keep most classes of parts from the search of async.cpp: one that could not beat
// the best known even if all its units were of its fastest type, and one that has enough units of
// that type at its least overhead.
#include <algorithm>
#include <cmath>
#include <limits>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/plan/price/alike_units.hpp"
#include "libplanner/plan/price/async.hpp"

namespace hora::plan {

namespace {

// A class as if all of its GPUs were of its fastest type, at its least overhead.
struct Ideal {
    Kind members;  // of that type; count 0: no GPU holds the share
    Seconds overhead;
    bool is_real = false;  // there are as many
};

Ideal idealise(Pricing& pricing, const FreeGpus& free, const PartClass& part, const Size& size) {
    constexpr Seconds never(std::numeric_limits<double>::infinity());
    const std::uint64_t share = pricing.share_of(size.members());
    Ideal ideal{{}, never, false};
    Seconds fastest = never;
    bool is_only_type = true;
    for (const Group& group : part.groups) {
        ideal.overhead = std::min(ideal.overhead, group.runs.front().overhead);
        for (const Kind& kind : free.shapes()[group.shape]) {
            const Seconds compute = compute_time(pricing, kind.device, share);
            if (compute < fastest) {
                fastest = compute;
                is_only_type = true;
                ideal.members = {kind.device, static_cast<std::uint32_t>(size.members())};
            } else if (compute == fastest && kind.device != ideal.members.device) {
                is_only_type = false;
            }
        }
    }
    std::uint64_t units = 0;
    for (const Group& group : part.groups) {
        for (const Kind& kind : free.shapes()[group.shape]) {
            if (kind.device == ideal.members.device && kind.count >= size.each &&
                group.runs.front().overhead == ideal.overhead) {
                units += group.runs.front().upto;
            }
        }
    }
    ideal.is_real = is_only_type && units >= size.units;
    return ideal;
}

// Where the server is the bottleneck all rates are one number, up to its rounding: then rounding
// decides, and only the full search knows.
bool is_clear(Pricing& pricing, const Kind& members, std::uint64_t share, Seconds exchange) {
    constexpr double margin = 1e-9;
    const Seconds compute = pricing.step(members.device, share).compute();
    const double updates = (members.count - 1) / (compute + exchange).count();
    return updates * exchange.count() < 1 - margin || exchange / compute > 1 + margin;
}

// The best of the class, unless `known` is as good.
Point improve(const Point& known, Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
              const PartClass& part) {
    constexpr double margin = 1e-9;
    const std::uint64_t share = pricing.share_of(known.size.members());
    const Ideal ideal = idealise(pricing, free, part, known.size);
    if (ideal.members.count == 0) {
        return known;
    }
    const std::span<const Kind> members(&ideal.members, 1);
    const double rate = rate_of(pricing, members, share, link.link);
    Point found = known;
    if (pricing.price_at_rate(rate * (1 + margin), ideal.overhead).time > known.price.time) {
        return known;
    }
    const Seconds exchange = cost::server_exchange(pricing.gradient(), 1, link.link);
    if (ideal.is_real && is_clear(pricing, ideal.members, share, exchange)) {
        found.price = pricing.price_at_rate(rate, ideal.overhead);
        found.updates = updates_of(pricing, members, share, link.link);
    } else {
        const AsyncChoice choice = choose_async(pricing, free, link, part, known.size);
        found.price = choice.price;
        found.updates = choice.updates;
    }
    return found.rank() < known.rank() ? found : known;
}

}  // namespace

bool reaches_async(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
                   const PartClass& part, const Point& point) {
    const Point just_worse{point.mode, point.size, point.price, std::nextafter(point.updates, 0.0)};
    return improve(just_worse, pricing, free, link, part).rank() == point.rank();
}

std::vector<Point> async_curve(Pricing& pricing, const FreeGpus& free) {
    UnitClasses classes(pricing, free);
    std::vector<Point> curve;
    for (const Size& size : sizes_of_several(pricing, free, Sizes::all)) {
        Point best{domain::Mode::async, size, {}, 0};
        for (const LinkClasses& link : classes.of(size.each)) {
            if (link.spread == Spread::two_nodes) {
                continue;  // a server's exchange is that of the part around
            }
            for (const PartClass& part : link.classes) {
                if (part.units < size.units) {
                    break;
                }
                best = part.suits(size.members()) ? improve(best, pricing, free, link, part) : best;
            }
        }
        keep_better(curve, best);
    }
    return curve;
}

}  // namespace hora::plan
